import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, pageBody, publishPage } from '../../../../tests/support/content.ts'
import { openReviews } from '../../../../tests/support/reviews.ts'
import { reviews } from './contract.ts'

suite('The version that a second person approves', async () => {
  const { testApp, ana, ben, chi, set, titleAt, open, save, ask, send, approve, addAsked } =
    await openReviews()
  const { db } = testApp.services

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
