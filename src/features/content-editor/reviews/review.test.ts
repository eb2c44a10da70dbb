import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage } from '../../../../tests/support/content.ts'
import { openReviews } from '../../../../tests/support/reviews.ts'
import { days, isoAfter, minutes } from '../../../platform/clock.ts'
import { deleteOldCheckpoints } from '../../privacy/retention.server.ts'
import { content } from '../contract.ts'
import { reviews } from './contract.ts'

suite('Publishing with a second person', async () => {
  const { testApp, staff, ana, ben, chi, admin, set, titleAt, open, ask, send, approve, addAsked } =
    await openReviews()
  const { services } = testApp
  const { db, clock } = services

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

  test('a review that asks for a time is live from then on, and one whose time has passed only when its reader says now (found E2)', async () => {
    for (const wait of [0, minutes(20)]) {
      const { id, path } = await addPage(ana)
      const liveFrom = isoAfter(clock, minutes(10))
      await ask(ana, id, { liveFrom })
      testApp.wait(wait)
      if (wait > 0) {
        const { status, errors } = await send(ben, id, 'review/approve', { number: 1 })
        assert.deepEqual([status, errors], [400, { liveFrom: 'This time has passed' }])
        assert.equal((await open(ana, id)).review?.number, 1)
      }
      const { version } = await ben.call(reviews.approve, { id, number: 1, publishNow: wait > 0 })
      assert.equal(titleAt(path), wait ? 'Fees' : undefined)
      assert.equal(version.liveFrom > liveFrom, wait > 0)
      assert.equal((await open(ana, id)).document.state, wait ? 'live' : 'scheduled')
    }
  })

  test('one person can take a document offline', async () => {
    const { id, path, review } = await addAsked()
    await ben.call(reviews.approve, { id, number: review.number })
    await ana.call(content.unpublish, { id })
    assert.equal(titleAt(path), undefined)
    const { draft } = await open(ana, id)
    assert.equal((await send(ana, id, 'publish', { revision: draft.revision })).code, 'review_needed')
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
})
