import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { addPage, pageBody, publishPage } from '../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { createToken, createTokenClient } from '../../../tests/support/token-client.ts'
import { days, hours, isoAfter, minutes } from '../../clock.ts'
import { deleteOldCheckpoints } from '../../content/checkpoints.server.ts'
import { content } from './contract.ts'
import { reviews } from './contract-reviews.ts'

suite('Publishing with a second person', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock } = services
  const staff = {
    ana: await createStaff(testApp, 'editor'),
    ben: await createStaff(testApp, 'editor'),
    chi: await createStaff(testApp, 'editor'),
    admin: await createStaff(testApp, 'admin'),
  }
  const ana = await signInAs(testApp, staff.ana.email)
  const ben = await signInAs(testApp, staff.ben.email)
  const chi = await signInAs(testApp, staff.chi.email)
  const admin = await signInAs(testApp, staff.admin.email)
  const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
  const set = async (value: 'true' | 'false') => await services.settings.write('content_needs_review', value)
  await set('true')

  const titleAt = (path: string) => services.content.read().documents.get(path)?.content.body.title
  const open = async (who: Browser, id: string) => await who.call(content.open, { id })
  async function save(who: Browser, id: string, body: object) {
    const { draft } = await open(who, id)
    return await who.call(content.saveDraft, { id, body: { ...body }, revision: draft.revision })
  }
  async function ask(who: Browser, id: string, more: { note?: string; liveFrom?: string } = {}) {
    const { draft } = await open(who, id)
    return (await who.call(reviews.ask, { id, revision: draft.revision, ...more })).review
  }
  const send = async (who: Browser, id: string, action: string, body?: object) => {
    const reply = await who.send('POST', `/api/content/${id}/${action}`, body)
    return { status: reply.status, ...(await reply.json()) }
  }
  const approve = async (who: Browser, id: string, number: number) =>
    await send(who, id, 'review/approve', { number })
  /** A page that Ana has written and asks about. */
  async function addAsked() {
    const page = await addPage(ana)
    return { ...page, review: await ask(ana, page.id, { note: 'Please look' }) }
  }

  test('nobody publishes alone, neither now nor at a time (W10)', async () => {
    const { id, path, revision } = await addPage(ana)
    for (const who of [ana, ben, admin])
      for (const liveFrom of [undefined, isoAfter(clock, hours(1))]) {
        const { status, code } = await send(who, id, 'publish', { revision, liveFrom })
        assert.deepEqual([status, code], [409, 'review_needed'])
      }
    const { needsReview, review, scheduled } = await open(ana, id)
    assert.deepEqual([needsReview, review, scheduled], [true, null, null])
    assert.equal(titleAt(path), undefined)
  })

  test('what somebody asks about waits, and a colleague who approves it publishes it', async () => {
    const { id, path, review } = await addAsked()
    const { askedAt, ...asked } = review
    assert.ok(Math.abs(Date.parse(askedAt) - clock().getTime()) < minutes(1))
    assert.deepEqual(asked, {
      number: 1,
      revision: 2,
      askedBy: 'Robin the editor',
      note: 'Please look',
      reasons: [],
      liveFrom: null,
      isOwn: true,
      mayApprove: false,
    })
    assert.equal(titleAt(path), undefined)
    assert.deepEqual((await open(ben, id)).review, { ...review, isOwn: false, mayApprove: true })
    const { version } = await ben.call(reviews.approve, { id, number: 1 })
    assert.deepEqual([version.number, version.author, version.note], [1, 'Robin the editor', 'Please look'])
    assert.equal(titleAt(path), 'Fees')
    const { document, review: after } = await open(ana, id)
    assert.deepEqual([document.state, after], ['live', null])
    await services.flushLog()
    const logged = await db
      .selectFrom('logs')
      .select(['message', 'details', 'user_id'])
      .where('details', 'like', `%${id}%`)
      .execute()
    const approved = logged.find(({ message }) => message === 'Content review approved')
    assert.equal(approved?.user_id, staff.ben.id)
    assert.match(approved?.details ?? '', new RegExp(`"askedBy":"${staff.ana.id}"`))
    for (const message of ['Content review requested', 'Content published'])
      assert.ok(
        logged.some(entry => entry.message === message),
        message,
      )
  })

  test('nobody approves what they have asked for or worked on, even if somebody else changed it last (W10)', async () => {
    const { id, path } = await addPage(ana)
    await save(ben, id, pageBody(path, 'Both wrote this'))
    const { number } = await ask(chi, id)
    for (const who of [ana, ben, chi]) {
      assert.equal((await open(who, id)).review?.mayApprove, false)
      const { status, code } = await approve(who, id, number)
      assert.deepEqual([status, code], [403, 'own_review'])
    }
    assert.equal(titleAt(path), undefined)
    assert.equal((await approve(admin, id, number)).status, 200)
    assert.equal(titleAt(path), 'Both wrote this')
  })

  test('what somebody wrote before an earlier review still counts as theirs (W10)', async () => {
    const { id, path } = await addAsked()
    await ana.call(reviews.withdraw, { id, number: 1 })
    await save(ben, id, pageBody(path, 'A comma more'))
    const { number } = await ask(ben, id)
    assert.equal((await approve(ana, id, number)).code, 'own_review')
    // Once it is live, only what is written from then on counts.
    assert.equal((await approve(chi, id, number)).status, 200)
    await save(ben, id, pageBody(path, 'Next'))
    assert.equal((await approve(ana, id, (await ask(ben, id)).number)).status, 200)
  })

  test('an API token neither asks nor approves, because an admin can make one of anybody (W10)', async () => {
    const { id, path, review, revision } = await addAsked()
    const asBen = createTokenClient(testApp, (await createToken(admin, staff.ben)).token)
    for (const [action, body] of [
      ['review', { revision }],
      ['review/approve', { number: review.number }],
      ['review/decline', { number: review.number, note: 'No' }],
    ] as const) {
      const reply = await asBen('POST', `/api/content/${id}/${action}`, body)
      assert.deepEqual([reply.status, (await reply.json()).code], [403, 'session_required'])
    }
    assert.equal(titleAt(path), undefined)
  })

  test('what was asked about goes live, and not what was written since (W11)', async () => {
    const { id, path, review } = await addAsked()
    await save(ana, id, pageBody(path, 'Written since'))
    const seen = (await open(ben, id)).review
    assert.equal(seen?.revision, review.revision)
    assert.equal((await approve(ben, id, review.number)).status, 200)
    assert.equal(titleAt(path), 'Fees')
    assert.equal((await open(ana, id)).document.state, 'changed')
    // What was written since is still Ana's.
    assert.equal((await approve(ana, id, (await ask(ben, id)).number)).code, 'own_review')
  })

  test('who asks again replaces what waited, and nobody approves the earlier version any more (W11)', async () => {
    const { id, path, review } = await addAsked()
    await save(ana, id, pageBody(path, 'Second'))
    const second = await ask(ana, id)
    const { status, code, review: now } = await approve(ben, id, review.number)
    assert.deepEqual([status, code, now?.number], [409, 'review_changed', second.number])
    for (const number of [second.number + 1, 99]) assert.equal((await approve(ben, id, number)).status, 409)
    assert.equal(titleAt(path), undefined)
    assert.equal((await approve(ben, id, second.number)).status, 200)
    assert.equal(titleAt(path), 'Second')
  })

  test('a version that is approved at once by two goes live once', async () => {
    const { id, review } = await addAsked()
    const replies = await Promise.all([ben, chi].map(who => approve(who, id, review.number)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
    const query = db.selectFrom('content_publications').select('id').where('document_id', '=', id)
    assert.equal((await query.execute()).length, 1)
  })

  test('a review is approved or withdrawn, never both, and never for a text that nobody saw (W11)', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, path, review } = await addAsked()
      const { draft } = await open(ana, id)
      await save(ana, id, pageBody(path, 'Not seen'))
      const [approval, other] = await Promise.all([
        approve(ben, id, review.number),
        round % 2
          ? send(ana, id, 'review/withdraw', { number: review.number })
          : send(ana, id, 'review', { revision: draft.revision + 1 }),
      ])
      assert.ok(approval.status === 200 ? other.status !== 200 : approval.status === 409, `${other.status}`)
      assert.equal(titleAt(path), approval.status === 200 ? 'Fees' : undefined)
    }
  })

  test('after it is withdrawn or declined nothing goes live, and the author reads why', async () => {
    const withdrawn = await addAsked()
    assert.equal((await send(ben, withdrawn.id, 'review/withdraw', { number: 1 })).status, 403)
    await ana.call(reviews.withdraw, { id: withdrawn.id, number: 1 })
    assert.equal((await approve(ben, withdrawn.id, 1)).code, 'review_changed')
    const { id, path } = await addAsked()
    assert.equal((await send(ben, id, 'review/decline', { number: 1, note: ' ' })).status, 400)
    assert.equal((await send(ana, id, 'review/decline', { number: 1, note: 'x' })).code, 'own_review')
    await ben.call(reviews.decline, { id, number: 1, note: 'The total is missing' })
    assert.equal((await approve(chi, id, 1)).status, 409)
    const { review, declined } = await open(ana, id)
    assert.deepEqual(
      [review, declined?.note, declined?.declinedBy, declined?.number],
      [null, 'The total is missing', 'Robin the editor', 1],
    )
    await ask(ana, id)
    assert.equal((await open(ana, id)).declined, null)
    assert.equal(titleAt(path), undefined)
  })

  test('a review that asks for a time is live from then on, or at once when that is past', async () => {
    for (const wait of [0, minutes(20)]) {
      const { id, path } = await addPage(ana)
      const liveFrom = isoAfter(clock, minutes(10))
      await ask(ana, id, { liveFrom })
      testApp.wait(wait)
      const { version } = await ben.call(reviews.approve, { id, number: 1 })
      assert.equal(titleAt(path), wait ? 'Fees' : undefined)
      assert.equal(version.liveFrom > liveFrom, wait > 0)
      assert.equal((await open(ana, id)).document.state, wait ? 'live' : 'scheduled')
    }
  })

  test('what is not valid cannot be asked about, and what is not valid any more cannot be approved', async () => {
    const { id, path, revision } = await addPage(ana)
    const { revision: empty } = await save(ana, id, pageBody(path, ' Fees'))
    assert.deepEqual(Object.keys((await send(ana, id, 'review', { revision: empty })).errors), ['title'])
    assert.equal((await send(ana, id, 'review', { revision })).code, 'draft_changed')
    await save(ana, id, pageBody('/taken-meanwhile'))
    const { number } = await ask(ana, id)
    await set('false')
    await publishPage(chi, { path: '/taken-meanwhile' })
    await set('true')
    assert.equal((await approve(ben, id, number)).code, 'path_taken')
    assert.equal((await open(ben, id)).review?.number, number)
  })

  test('a restored version must be approved, by somebody who has not written it (W10)', async () => {
    const { id, path, review } = await addAsked()
    assert.equal((await approve(ben, id, review.number)).status, 200)
    await save(ana, id, pageBody(path, 'Never shown'))
    await chi.call(content.restore, { id, number: 1 })
    const { draft } = await open(chi, id)
    assert.equal((await send(chi, id, 'publish', { revision: draft.revision })).code, 'review_needed')
    // Visitors have seen that version, so nobody but Chi has a word in this draft.
    const live = await ask(chi, id)
    assert.equal((await open(ana, id)).review?.mayApprove, true)
    assert.equal((await open(chi, id)).review?.mayApprove, false)
    await chi.call(reviews.withdraw, { id, number: live.number })
    // Nobody has approved this one, so it is still Ana's.
    await ben.call(content.restore, { id, number: 2 })
    const { number } = await ask(ben, id)
    assert.equal((await approve(ana, id, number)).code, 'own_review')
    assert.equal((await approve(chi, id, number)).status, 200)
    assert.equal(titleAt(path), 'Never shown')
  })

  test('one person can take a document offline', async () => {
    const { id, path, review } = await addAsked()
    await ben.call(reviews.approve, { id, number: review.number })
    await ana.call(content.unpublish, { id })
    assert.equal(titleAt(path), undefined)
    const { draft } = await open(ana, id)
    assert.equal((await send(ana, id, 'publish', { revision: draft.revision })).code, 'review_needed')
  })

  test('nobody approves their own words after a schedule of them is cancelled or replaced (W10)', async () => {
    const liveFrom = isoAfter(clock, hours(1))
    for (const isCancelled of [true, false]) {
      await set('false')
      const { id, path, revision } = await addPage(ana)
      await ana.call(content.publish, { id, revision, liveFrom })
      await set('true')
      if (isCancelled) await ben.call(content.unpublish, { id })
      else await save(chi, id, pageBody(path, 'A comma more'))
      const { number } = await ask(chi, id)
      const { status, code } = await approve(ana, id, number)
      assert.deepEqual([status, code], [403, 'own_review'])
      assert.equal(titleAt(path), undefined)
      assert.equal((await approve(ben, id, number)).status, 200)
    }
  })

  test('once a schedule has come due, its author approves what a colleague writes', async () => {
    const { id, path } = await addPage(ana)
    const first = await ask(ana, id, { liveFrom: isoAfter(clock, minutes(10)) })
    await ben.call(reviews.approve, { id, number: first.number })
    testApp.wait(minutes(11))
    await save(ben, id, pageBody(path, 'Next'))
    const { number } = await ask(ben, id)
    assert.equal((await approve(ana, id, number)).status, 200)
    assert.equal(titleAt(path), 'Next')
  })

  test('only admins turn it off, which is logged, announced and leaves what is scheduled', async () => {
    const { id, path } = await addPage(ana)
    await ask(ana, id, { liveFrom: isoAfter(clock, minutes(10)) })
    await ben.call(reviews.approve, { id, number: 1 })
    const off = await ana.send('PUT', '/api/settings/content_needs_review', { value: 'false' })
    assert.equal(off.status, 403)
    assert.equal(
      (await admin.send('PUT', '/api/settings/content_needs_review', { value: 'off' })).status,
      400,
    )
    const waiting = await addAsked()
    for (const value of ['false', 'true', 'false']) {
      const reply = await admin.send('PUT', '/api/settings/content_needs_review', { value })
      assert.equal(reply.status, 200)
    }
    await testApp.mailServer.next(
      ({ recipients, text }) =>
        recipients.includes(staff.admin.email) && (text ?? '').includes('content_needs_review'),
    )
    await services.flushLog()
    const logs = db.selectFrom('logs').select('details').where('message', '=', 'Setting changed')
    assert.ok((await logs.execute()).some(({ details }) => details.includes('"value":"false"')))
    assert.equal((await open(ana, id)).document.state, 'scheduled')
    testApp.wait(minutes(10))
    await services.content.refresh()
    assert.equal(titleAt(path), 'Fees')

    // Without it, the author publishes, and nothing waits any more.
    assert.equal((await send(ana, waiting.id, 'review', { revision: 2 })).status, 409)
    await ana.call(content.publish, { id: waiting.id, revision: 2 })
    const { needsReview, review } = await open(ben, waiting.id)
    assert.deepEqual([needsReview, review], [false, null])
    assert.equal((await approve(ben, waiting.id, 1)).code, 'review_changed')
    await set('true')
  })

  test('a viewer sees what waits and decides nothing', async () => {
    const { id, review, revision } = await addAsked()
    assert.equal((await open(viewer, id)).review?.number, review.number)
    for (const [action, body] of Object.entries({
      review: { revision },
      'review/approve': { number: 1 },
      'review/decline': { number: 1, note: 'No' },
      'review/withdraw': { number: 1 },
    }))
      assert.equal((await send(viewer, id, action, body)).status, 403, action)
  })

  test('a review that led to nothing is deleted after ninety days, and an approval is kept for ever', async () => {
    const { id } = await addAsked()
    await ben.call(reviews.decline, { id, number: 1, note: 'No' })
    const open = await addAsked()
    const approved = await addAsked()
    await ben.call(reviews.approve, { id: approved.id, number: 1 })
    const left = async () =>
      await Promise.all(
        [id, open.id, approved.id].map(async documentId => {
          const count = async (table: 'content_reviews' | 'content_versions') =>
            (await db.selectFrom(table).select('id').where('document_id', '=', documentId).execute()).length
          return [await count('content_reviews'), await count('content_versions')]
        }),
      )
    await deleteOldCheckpoints(db, () => new Date(clock().getTime() + days(90) - minutes(1)))
    assert.deepEqual(await left(), [
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    await deleteOldCheckpoints(db, () => new Date(clock().getTime() + days(90) + minutes(1)))
    assert.deepEqual(await left(), [
      [0, 0],
      [1, 1],
      [1, 1],
    ])
  })

  test('a page that was live before is published as it was asked about', async () => {
    await set('false')
    const { id, path } = await publishPage(ana)
    await set('true')
    await save(ana, id, pageBody(path, 'New'))
    const { number } = await ask(ana, id)
    assert.equal(titleAt(path), 'Fees')
    await ben.call(reviews.approve, { id, number })
    assert.equal(titleAt(path), 'New')
  })
})
