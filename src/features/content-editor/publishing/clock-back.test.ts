import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, pageBody, publishPage } from '../../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { openContentStore } from '../../../content/store.server.ts'
import { hours, isoAfter, minutes } from '../../../platform/clock.ts'
import { archive, content } from '../contract.ts'
import { reviews } from '../reviews/contract.ts'

suite('A clock that goes back by an hour', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock, log } = services
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const other = await openContentStore({ db, clock, log })

  /** Moves the clock, and lets the editor work on: a session of another time would have ended. */
  async function move(milliseconds: number) {
    testApp.wait(milliseconds)
    const now = isoAfter(clock)
    await db.updateTable('sessions').set({ created_at: now, last_seen_at: now }).execute()
  }
  const goBack = () => move(-hours(1))
  const inMinutes = (count: number) => isoAfter(clock, minutes(count))
  async function publish(id: string, path: string, title: string, liveFrom?: string) {
    const { draft } = await editor.call(content.open, { id })
    const body = pageBody(path, title)
    const { revision } = await editor.call(content.saveDraft, { id, body, revision: draft.revision })
    return await editor.send('POST', `/api/content/${id}/publish`, { revision, liveFrom })
  }
  /** What visitors of both nodes read at a path, and staff as the live version. */
  async function shown({ id, path }: { id: string; path: string }) {
    for (const node of [services.content, other]) await node.refresh()
    const titles = [services.content, other].map(node => node.read().documents.get(path)?.content.body.title)
    assert.equal(titles[0], titles[1])
    const { live, document } = await editor.call(content.open, { id })
    assert.equal(live?.body.title, titles[0])
    return [titles[0], document.state]
  }

  test('the version that visitors saw last stays live, on each node', async () => {
    const page = await publishPage(editor)
    await move(minutes(30))
    await publish(page.id, page.path, 'Second')
    await goBack()
    assert.deepEqual(await shown(page), ['Second', 'live'])
    const restarted = await openContentStore({ db, clock, log })
    assert.equal(restarted.read().documents.get(page.path)?.content.body.title, 'Second')
    restarted.close()
  })

  test('a version that is published then is live, and the one before it was not cancelled', async () => {
    const page = await publishPage(editor)
    await publish(page.id, page.path, 'Second')
    await goBack()
    await publish(page.id, page.path, 'Third')
    assert.deepEqual(await shown(page), ['Third', 'live'])
    const rows = await db
      .selectFrom('content_publications')
      .select('cancelled_at')
      .where('document_id', '=', page.id)
      .execute()
    assert.deepEqual(
      rows.map(row => row.cancelled_at),
      [null, null, null],
    )
    await move(minutes(65))
    assert.deepEqual(await shown(page), ['Third', 'live'])
  })

  test('what was not published then is as it was: another page keeps its schedule', async () => {
    const [page, scheduled] = [await publishPage(editor), await publishPage(editor)]
    await goBack()
    await publish(scheduled.id, scheduled.path, 'Soon', inMinutes(90))
    await move(minutes(45))
    await publish(page.id, page.path, 'Second')
    assert.deepEqual(await shown(scheduled), ['Fees', 'scheduled'])
    await move(minutes(45))
    assert.deepEqual(await shown(scheduled), ['Soon', 'live'])
  })

  test('a schedule between the clock and what visitors see is refused, and a later one comes due', async () => {
    const page = await publishPage(editor)
    await goBack()
    const refused = await publish(page.id, page.path, 'Soon', inMinutes(30))
    assert.equal(refused.status, 400)
    assert.match((await refused.json()).errors.liveFrom, /^The clock went back: .* Choose a later time/)
    assert.equal((await publish(page.id, page.path, 'Soon', inMinutes(90))).status, 200)
    assert.deepEqual(await shown(page), ['Fees', 'scheduled'])
    await move(minutes(61))
    assert.deepEqual(await shown(page), ['Fees', 'scheduled'])
    await move(minutes(30))
    assert.deepEqual(await shown(page), ['Soon', 'live'])
  })

  test('a schedule that a publication replaced does not come due again', async () => {
    const page = await addPage(editor)
    await publish(page.id, page.path, 'First', inMinutes(10))
    await move(minutes(20))
    await publish(page.id, page.path, 'Second')
    await move(-minutes(15))
    assert.deepEqual(await shown(page), ['Second', 'live'])
    await move(minutes(10))
    assert.deepEqual(await shown(page), ['Second', 'live'])
  })

  test('a page that is taken offline then is offline, and a restored version can be published', async () => {
    const page = await publishPage(editor)
    await publish(page.id, page.path, 'Second')
    await goBack()
    assert.equal((await editor.call(content.unpublish, { id: page.id })).document.state, 'offline')
    assert.deepEqual(await shown(page), [undefined, 'offline'])
    const { draft } = await editor.call(content.restore, { id: page.id, number: 1 })
    await editor.call(content.publish, { id: page.id, revision: draft.revision })
    assert.deepEqual(await shown(page), ['Fees', 'live'])
    await move(hours(1))
    assert.deepEqual(await shown(page), ['Fees', 'live'])
  })

  test('a page that is deleted then is gone, and an undo brings back what was live and scheduled', async () => {
    const page = await publishPage(editor)
    await publish(page.id, page.path, 'Soon', inMinutes(30))
    await goBack()
    await editor.call(archive.delete, { id: page.id })
    await services.content.refresh()
    assert.equal(services.content.read().documents.has(page.path), false)
    await editor.call(archive.restore, { id: page.id })
    assert.deepEqual(await shown(page), ['Fees', 'scheduled'])
    await move(minutes(91))
    assert.deepEqual(await shown(page), ['Soon', 'live'])
  })

  test('an approved version is live, and one that would go live before what visitors see is refused', async () => {
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const page = await publishPage(editor)
    await services.settings.write('content_needs_review', 'true')
    const { revision } = (await editor.call(content.open, { id: page.id })).draft
    await goBack()
    const early = { revision, liveFrom: inMinutes(30) }
    const refused = await editor.send('POST', `/api/content/${page.id}/review`, early)
    assert.equal(refused.status, 400)
    await editor.call(reviews.ask, { id: page.id, revision })
    await admin.call(reviews.approve, { id: page.id, number: 2 })
    assert.deepEqual(await shown(page), ['Fees', 'live'])
    const { live } = await editor.call(content.open, { id: page.id })
    assert.equal(live?.number, 2)
  })
})
