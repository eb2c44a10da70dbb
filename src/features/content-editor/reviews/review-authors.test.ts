import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, pageBody } from '../../../../tests/support/content.ts'
import { openReviews } from '../../../../tests/support/reviews.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { createToken, createTokenClient } from '../../../../tests/support/token-client.ts'
import { hours, isoAfter, minutes } from '../../../platform/clock.ts'
import { content } from '../contract.ts'
import { reviews } from './contract.ts'

suite('Who may approve content', async () => {
  const { testApp, staff, ana, ben, chi, admin, set, titleAt, open, save, ask, send, approve, addAsked } =
    await openReviews()
  const { clock } = testApp.services
  const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)

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
})
