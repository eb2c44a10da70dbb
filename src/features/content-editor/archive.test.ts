import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, pageBody, publishPage } from '../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isoAfter, minutes } from '../../platform/clock.ts'
import { archive, content } from './contract.ts'
import { MAX_ALL_PUBLISHED, MAX_PUBLISHED } from './history/version-of-draft.server.ts'

suite('Deleting a document', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)

  const titleAt = (path: string) => services.content.read().documents.get(path)?.content.body.title
  const restore = async (id: string) => (await editor.call(archive.restore, { id })).document
  const isListed = async (id: string) =>
    (await editor.call(content.list, { limit: 200 })).documents.some(document => document.id === id)

  test('a deleted document is offline and in no list, its path is free, and nothing can be done with it', async () => {
    const { id, path } = await publishPage(editor)
    const moved = newPath()
    await editor.call(content.saveDraft, { id, body: pageBody(moved), revision: 2 })
    await editor.call(content.publish, { id, revision: 3 })
    assert.equal(services.content.read().redirects.get(path), moved)
    await editor.call(archive.delete, { id })
    assert.deepEqual([titleAt(moved), services.content.read().redirects.get(path)], [undefined, undefined])
    assert.equal(await isListed(id), false)
    for (const [method, action, body] of [
      ['GET', '', undefined],
      ['DELETE', '', undefined],
      ['GET', '/versions', undefined],
      ['PUT', '/draft', { body: pageBody(moved), revision: 3 }],
      ['POST', '/publish', { revision: 3 }],
      ['POST', '/unpublish', undefined],
      ['POST', '/versions/1/restore', undefined],
    ] as const) {
      const reply = await editor.send(method, `/api/content/${id}${action}`, body)
      assert.equal(reply.status, 404, `${method} ${action}`)
    }
    const other = await publishPage(editor, { path: moved, title: 'Another' })
    assert.equal(titleAt(moved), 'Another')
    const taken = await editor.send('POST', `/api/content/${id}/unarchive`)
    assert.deepEqual([taken.status, (await taken.json()).code], [409, 'path_taken'])
    await editor.call(archive.delete, { id: other.id })
    assert.equal((await restore(id)).state, 'live')
    await services.flushLog()
    const logs = services.db.selectFrom('logs').select('message').where('details', 'like', `%${id}%`)
    const messages = (await logs.execute()).map(({ message }) => message)
    assert.ok(messages.includes('Content deleted') && messages.includes('Content undeleted'))
  })

  test('an undo brings back what was live and what was scheduled', async () => {
    const { id, path } = await publishPage(editor)
    await editor.call(content.saveDraft, { id, body: pageBody(path, 'Soon'), revision: 2 })
    const liveFrom = isoAfter(services.clock, minutes(15))
    await editor.call(content.publish, { id, revision: 3, liveFrom })
    await editor.call(content.saveDraft, { id, body: pageBody(path, 'Not yet'), revision: 3 })
    const before = await editor.call(content.open, { id })
    await editor.call(archive.delete, { id })
    testApp.wait(minutes(9))
    assert.equal((await restore(id)).state, 'scheduled')
    assert.equal(titleAt(path), 'Fees')
    const { draft, scheduled, live } = await editor.call(content.open, { id })
    assert.deepEqual([draft, scheduled, live?.number], [before.draft, before.scheduled, 1])
    testApp.wait(minutes(6))
    await services.content.refresh()
    assert.equal(titleAt(path), 'Soon')
  })

  test('an undo never puts a version on an address that another page has got meanwhile (W4)', async () => {
    const { id, path } = await publishPage(editor)
    const moved = newPath()
    await editor.call(content.saveDraft, { id, body: pageBody(moved), revision: 2 })
    await editor.call(content.publish, { id, revision: 3, liveFrom: isoAfter(services.clock, minutes(15)) })
    await editor.call(archive.delete, { id })
    const other = await publishPage(editor, { path, title: 'Another' })
    const refused = await editor.send('POST', `/api/content/${id}/unarchive`)
    assert.deepEqual([refused.status, (await refused.json()).code], [409, 'path_taken'])
    assert.deepEqual([titleAt(path), await isListed(id)], ['Another', false])
    await editor.call(archive.delete, { id: other.id })
    assert.equal((await restore(id)).state, 'scheduled')
    assert.equal(titleAt(path), 'Fees')
  })

  test('an undo brings a page back that is longer than a page may become, unless the site has no room (W5)', async () => {
    const { id, path } = await publishPage(editor)
    const store = async (body: string) =>
      await services.db.updateTable('content_versions').set({ body }).where('document_id', '=', id).execute()
    await editor.call(archive.delete, { id })
    await store('x'.repeat(MAX_ALL_PUBLISHED + 1))
    assert.equal((await editor.send('POST', `/api/content/${id}/unarchive`)).status, 409)
    const [block] = pageBody(path, 'Fees', 'x'.repeat(20_000)).blocks
    const blocks = Array.from({ length: Math.ceil(MAX_PUBLISHED / 20_000) }, (_, at) => ({
      ...block,
      id: `text-${at}`,
    }))
    await store(JSON.stringify({ ...pageBody(path), blocks }))
    assert.equal((await restore(id)).state, 'live')
    assert.equal(titleAt(path), 'Fees')
  })

  test('what was scheduled and came due during an undo is live after it', async () => {
    const { id, path } = await addPage(editor)
    await editor.call(content.publish, { id, revision: 2, liveFrom: isoAfter(services.clock, minutes(5)) })
    await editor.call(archive.delete, { id })
    testApp.wait(minutes(6))
    await services.content.refresh()
    assert.equal(titleAt(path), undefined)
    assert.equal((await restore(id)).state, 'live')
    assert.equal(titleAt(path), 'Fees')
  })

  test('a document that was deleted longer ago, or was offline, comes back offline', async () => {
    const live = await publishPage(editor)
    const offline = await publishPage(editor)
    await editor.call(content.unpublish, { id: offline.id })
    await editor.call(archive.delete, { id: offline.id })
    assert.equal((await restore(offline.id)).state, 'offline')
    await editor.call(archive.delete, { id: live.id })
    testApp.wait(minutes(10) + 1000)
    assert.equal((await restore(live.id)).state, 'offline')
    assert.equal(titleAt(live.path), undefined)
    await editor.call(content.publish, { id: live.id, revision: 2 })
    assert.equal(titleAt(live.path), 'Fees')
  })

  test('the site itself cannot be deleted, and a viewer deletes nothing', async () => {
    const { documents } = await editor.call(content.list, { kind: 'site' })
    const siteId = documents[0]?.id ?? ''
    assert.equal((await editor.send('DELETE', `/api/content/${siteId}`)).status, 409)
    assert.equal((await editor.send('POST', `/api/content/${siteId}/unarchive`)).status, 404)
    const { id, path } = await publishPage(editor)
    assert.equal((await viewer.send('DELETE', `/api/content/${id}`)).status, 403)
    assert.equal(titleAt(path), 'Fees')
    await editor.call(archive.delete, { id })
    assert.equal((await viewer.send('POST', `/api/content/${id}/unarchive`)).status, 403)
    assert.equal(titleAt(path), undefined)
  })

  test('a document that two people delete or publish at once ends in one state', async () => {
    const { id, path, revision } = await addPage(editor)
    const replies = await Promise.all([
      editor.send('DELETE', `/api/content/${id}`),
      editor.send('DELETE', `/api/content/${id}`),
      editor.send('POST', `/api/content/${id}/publish`, { revision }),
    ])
    const [first, second, published] = replies.map(({ status }) => status)
    assert.deepEqual([first, second].sort(), [200, 404])
    assert.ok(published === 200 || published === 404)
    await services.content.refresh()
    assert.equal(titleAt(path), undefined)
  })
})
