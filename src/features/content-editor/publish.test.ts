import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, pageBody, publishPage } from '../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isoAfter, minutes } from '../../clock.ts'
import { listLive } from '../../content/live.server.ts'
import { content } from './contract.ts'

suite('Publishing', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)

  /** The title that visitors read at a path, as this node has it in memory. */
  const titleAt = (path: string) => services.content.read().documents.get(path)?.content.body.title
  const stateOf = async (id: string) => (await editor.call(content.open, { id })).document.state
  async function save(id: string, body: ReturnType<typeof pageBody>) {
    const { draft } = await editor.call(content.open, { id })
    return await editor.call(content.saveDraft, { id, body, revision: draft.revision })
  }
  async function publish(id: string, more: { liveFrom?: string; note?: string } = {}) {
    const { draft } = await editor.call(content.open, { id })
    return (await editor.call(content.publish, { id, revision: draft.revision, ...more })).version
  }
  const refused = async (id: string, path = 'publish', body: object | undefined = undefined) => {
    const { draft } = await editor.call(content.open, { id })
    const sent = path === 'publish' ? { revision: draft.revision, ...body } : body
    return await editor.send('POST', `/api/content/${id}/${path}`, sent)
  }
  const add = async (path: string, kind: 'page' | 'article' | 'visa' = 'page') =>
    await editor.send('POST', '/api/content', { kind, path, title: 'Title' })

  test('a publication shows on its node when the call returns, and is logged', async () => {
    const { id, path } = await addPage(editor)
    assert.equal(titleAt(path), undefined)
    const version = await publish(id, { note: 'First' })
    assert.equal(titleAt(path), 'Fees')
    assert.deepEqual([version.number, version.author, version.note], [1, 'Robin the editor', 'First'])
    assert.equal(await stateOf(id), 'live')
    await services.flushLog()
    const logged = services.db.selectFrom('logs').select('details').where('message', '=', 'Content published')
    const entries = await logged.execute()
    assert.ok(entries.some(({ details }) => details.includes(id) && details.includes(path)))
  })

  test('a changed draft changes nothing for visitors until it is published', async () => {
    const { id, path } = await publishPage(editor)
    await save(id, pageBody(path, 'New fees'))
    assert.equal(await stateOf(id), 'changed')
    await services.content.refresh()
    assert.equal(titleAt(path), 'Fees')
    await publish(id)
    assert.deepEqual([titleAt(path), await stateOf(id)], ['New fees', 'live'])
  })

  test('publishing a draft that somebody changed meanwhile is a conflict with that draft', async () => {
    const { id, path, revision } = await addPage(editor)
    await save(id, pageBody(path, 'Changed meanwhile'))
    const reply = await editor.send('POST', `/api/content/${id}/publish`, { revision })
    assert.equal(reply.status, 409)
    const { code, draft } = await reply.json()
    assert.deepEqual([code, draft.body.title], ['draft_changed', 'Changed meanwhile'])
    assert.deepEqual((await editor.call(content.versions, { id })).versions, [])
  })

  test('what is not valid is not published, and each field says why', async () => {
    const { id, path } = await addPage(editor)
    const href = 'javascript:alert(1)'
    const link = { type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href } }] }
    const fact = { type: 'fact', attrs: { name: 'no-such-fact' } }
    const body = pageBody(path, ' Fees')
    const doc = { type: 'doc', content: [{ type: 'paragraph', content: [link, fact] }] }
    await editor.call(content.saveDraft, {
      id,
      body: { ...body, blocks: [{ id: 'text-1', type: 'text', text: doc }] },
      revision: 2,
    })
    const reply = await refused(id)
    assert.equal(reply.status, 400)
    assert.deepEqual(Object.keys((await reply.json()).errors).sort(), [
      'blocks.0.text.content.0.content.0.marks.0.attrs.href',
      'blocks.0.text.content.0.content.1.attrs.name',
      'title',
    ])
  })

  test('characters that no page can show are not published', async () => {
    const { id, path } = await addPage(editor)
    const body = {
      ...pageBody(path, 'Fees\ufffe', 'What\u0000 our work costs.'),
      description: 'Half of a character: \ud83d',
    }
    await editor.call(content.saveDraft, { id, body, revision: 2 })
    const refused = await editor.send('POST', `/api/content/${id}/publish`, { revision: 3 })
    assert.equal(refused.status, 400)
    assert.deepEqual(Object.keys((await refused.json()).errors).sort(), [
      'blocks.0.text.content.0.content.0.text',
      'description',
      'title',
    ])
    await editor.call(content.saveDraft, { id, body: pageBody(path, 'Zoë 😀', 'a\tb'), revision: 3 })
    await editor.call(content.publish, { id, revision: 4 })
  })

  test('a page that is scheduled is not live just before its time, and is at it and after it', async () => {
    const { id, path } = await publishPage(editor)
    await save(id, pageBody(path, 'Next year’s fees'))
    const liveFrom = isoAfter(services.clock, minutes(20))
    await publish(id, { liveFrom })
    const { document, live, scheduled } = await editor.call(content.open, { id })
    assert.equal(document.state, 'scheduled')
    assert.deepEqual([live?.number, scheduled], [1, { number: 2, liveFrom }])
    const due = new Date(liveFrom).getTime()
    const shown = []
    for (const time of [due - 1, due, due + 1]) {
      const found = (await listLive(services.db, new Date(time))).find(it => it.documentId === id)
      shown.push(found?.liveFrom === liveFrom)
    }
    assert.deepEqual(shown, [false, true, true])
    testApp.wait(minutes(20) - minutes(1))
    await services.content.refresh()
    assert.equal(titleAt(path), 'Fees')
    testApp.wait(minutes(1))
    await services.content.refresh()
    assert.equal(titleAt(path), 'Next year’s fees')
    assert.equal(await stateOf(id), 'live')
  })

  test('a new publication replaces what was scheduled, and a time that is past means now', async () => {
    const { id, path } = await addPage(editor)
    await publish(id, { liveFrom: isoAfter(services.clock, minutes(10)) })
    assert.equal(titleAt(path), undefined)
    await save(id, pageBody(path, 'At once'))
    const { liveFrom } = await publish(id, { liveFrom: '2020-01-01T00:00:00+11:00' })
    assert.ok(Math.abs(new Date(liveFrom).getTime() - services.clock().getTime()) < minutes(1))
    testApp.wait(minutes(20))
    await services.content.refresh()
    assert.equal(titleAt(path), 'At once')
    for (const far of ['2099-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00', '2026-02-30T00:00:00Z', 'soon'])
      assert.equal((await refused(id, 'publish', { liveFrom: far })).status, 400, far)
  })

  test('a document that is taken offline is gone for visitors, and its schedule is cancelled', async () => {
    const { id, path } = await publishPage(editor)
    await publish(id, { liveFrom: isoAfter(services.clock, minutes(10)) })
    const { document } = await editor.call(content.unpublish, { id })
    assert.equal(document.state, 'offline')
    assert.equal(titleAt(path), undefined)
    testApp.wait(minutes(20))
    await services.content.refresh()
    assert.equal(titleAt(path), undefined)
    assert.equal((await refused(id, 'unpublish')).status, 409)
    await publish(id)
    assert.equal(titleAt(path), 'Fees')
  })

  test('the site itself cannot be taken offline', async () => {
    const { documents } = await editor.call(content.list, {})
    const reply = await refused(documents[0]?.id ?? '', 'unpublish')
    assert.equal(reply.status, 409)
    assert.equal(services.content.read().site.company.siteName, documents[0]?.title)
  })

  test('an old version is restored as a draft, and the draft that it replaces is kept', async () => {
    const { id, path } = await publishPage(editor)
    await save(id, pageBody(path, 'Second'))
    await publish(id)
    await save(id, pageBody(path, 'Not published'))
    const { draft } = await editor.call(content.restore, { id, number: 1 })
    assert.deepEqual(draft.body, pageBody(path))
    assert.equal(titleAt(path), 'Second')
    assert.equal(await stateOf(id), 'changed')
    const { versions } = await editor.call(content.versions, { id })
    assert.deepEqual(
      versions.map(({ number, note }) => [number, note]),
      [
        [3, 'Draft before version 1 was restored'],
        [2, ''],
        [1, ''],
      ],
    )
    const { version } = await editor.call(content.version, { id, number: 3 })
    assert.deepEqual(version.body, pageBody(path, 'Not published'))
    await publish(id)
    assert.equal(titleAt(path), 'Fees')
    const { versions: page, nextCursor } = await editor.call(content.versions, { id, limit: 3 })
    assert.deepEqual([page.length, nextCursor], [3, 2])
  })

  test('a page that is renamed twice leaves one redirect each, straight to where it is', async () => {
    const [first, second, third] = [newPath(), newPath(), newPath()]
    const { id } = await publishPage(editor, { path: first })
    for (const path of [second, third]) {
      await save(id, pageBody(path))
      await publish(id)
    }
    const { redirects } = services.content.read()
    assert.deepEqual([redirects.get(first), redirects.get(second)], [third, third])
    assert.equal(redirects.has(third), false)
    const rows = await services.db.selectFrom('content_redirects').select('from_path').execute()
    assert.deepEqual(
      rows
        .map(row => row.from_path)
        .filter(path => [first, second, third].includes(path))
        .sort(),
      [first, second].sort(),
    )

    // Back to the first path, and then another page takes one that is free again.
    await save(id, pageBody(first))
    await publish(id)
    assert.equal(services.content.read().redirects.has(first), false)
    assert.equal(services.content.read().redirects.get(third), first)
    await publishPage(editor, { path: second, title: 'Another page' })
    assert.equal(titleAt(second), 'Another page')
    assert.equal(services.content.read().redirects.has(second), false)
  })

  test('a path that only drafts had leaves no redirect', async () => {
    const { id, path } = await addPage(editor)
    const other = newPath()
    await save(id, pageBody(other))
    await publish(id)
    assert.equal(services.content.read().redirects.has(path), false)
    assert.equal(titleAt(other), 'Fees')
  })

  test('a path stays taken while its page is renamed at a time', async () => {
    const { id, path } = await publishPage(editor)
    const next = newPath()
    await save(id, pageBody(next))
    await publish(id, { liveFrom: isoAfter(services.clock, minutes(10)) })
    for (const taken of [path, next]) assert.equal((await add(taken)).status, 409)
    const another = await addPage(editor)
    await save(another.id, pageBody(path))
    const reply = await refused(another.id)
    assert.deepEqual([reply.status, (await reply.json()).code], [409, 'path_taken'])
    testApp.wait(minutes(10))
    await services.content.refresh()
    assert.equal(services.content.read().redirects.get(path), next)
    await publish(another.id)
    assert.equal(services.content.read().redirects.has(path), false)
  })

  test('a page cannot take a path of the product, and each kind has its own place (W4)', async () => {
    for (const path of [
      '/contact',
      '/contact/us',
      '/api/content',
      '/news',
      '/visas/482',
      '/preview/x',
      '/users',
    ])
      assert.equal((await add(path)).status, 409, path)
    for (const path of ['/', 'fees', '/Fees', '//fees', '/fees/', '/a b', '/fees.html', '/a/b/c/d', '/%2e'])
      assert.equal((await add(path)).status, 400, path)
    for (const path of ['/fees-2', '/news/x/y', '/visas/x'])
      assert.equal((await add(path, 'article')).status, 400)
    assert.equal((await add('/news/first', 'article')).status, 201)
    assert.equal((await add('/visas/skills-in-demand-482', 'visa')).status, 201)
    assert.equal((await add('/news/first', 'article')).status, 409)
    assert.equal(
      (await editor.send('POST', '/api/content', { kind: 'site', path: '/x', title: 'x' })).status,
      400,
    )
  })
})
