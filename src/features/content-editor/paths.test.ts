import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, pageBody, publishPage } from '../../../tests/support/content.ts'
import { openPublishing } from '../../../tests/support/publishing.ts'
import { listRedirects, MAX_REDIRECTS } from '../../content/live.server.ts'
import { isoAfter, minutes } from '../../platform/clock.ts'
import { addRedirect, MAX_FORMER_PATHS } from './history/history.server.ts'

suite('Paths of documents', async () => {
  const { testApp, editor, titleAt, save, publish, refused, add } = await openPublishing()
  const { services } = testApp

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

  test('a page that is renamed without end keeps its fifty newest addresses, and other pages keep theirs (found A2)', async () => {
    const [page, other] = [await publishPage(editor), await publishPage(editor)]
    const former = Array.from({ length: MAX_FORMER_PATHS + 2 }, newPath)
    const kept = newPath()
    await addRedirect(services.db, services.clock, kept, other.id)
    for (const [at, path] of former.entries())
      await addRedirect(services.db, () => new Date(services.clock().getTime() + at), path, page.id)
    const paths = (await listRedirects(services.db)).map(row => row.from_path)
    assert.deepEqual(
      former.filter(path => !paths.includes(path)),
      former.slice(0, 2),
    )
    assert.ok(paths.includes(kept))
  })

  test('a node reads the ten thousand newest redirects (found A2)', async () => {
    const { id } = await publishPage(editor)
    const rows = Array.from({ length: MAX_REDIRECTS + 1 }, (_, at) => ({
      ...{ language: 'en', from_path: `/former-${at}`, document_id: id },
      created_at: new Date(services.clock().getTime() + minutes(1) + at).toISOString(),
    }))
    for (let at = 0; at < rows.length; at += 1000)
      await services.db
        .insertInto('content_redirects')
        .values(rows.slice(at, at + 1000))
        .execute()
    const read = await listRedirects(services.db)
    assert.equal(read.length, MAX_REDIRECTS)
    assert.ok(!read.some(row => row.from_path === '/former-0'))
    await services.db.deleteFrom('content_redirects').where('document_id', '=', id).execute()
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
