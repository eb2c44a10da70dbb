import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newPath, publishPage } from '../../../../tests/support/content.ts'
import { stopwatch } from '../../../../tests/support/processor-time.ts'
import { openPublishing } from '../../../../tests/support/publishing.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { addRedirect, MAX_FORMER_PATHS } from '../history/history.server.ts'
import { redirects } from './contract.ts'
import { readRedirectLines } from './redirect-lines.ts'

suite('Old addresses', async () => {
  const { testApp, editor } = await openPublishing()
  const { services } = testApp
  const site = await openSite(testApp)
  const add = async (from: string, to: string, isTrial?: boolean) => {
    const { outcomes } = await editor.call(redirects.add, { redirects: [{ from, to }], isTrial })
    return outcomes[0]
  }
  const locationOf = async (path: string) => {
    // Another node, which would notice it within a second.
    await site.services.content.refresh()
    const reply = await fetch(`${site.url}${path}`, { redirect: 'manual' })
    await reply.body?.cancel()
    return [reply.status, reply.headers.get('location')]
  }

  test('an old address leads to a page or a fixed page at once, and nowhere once it is removed', async () => {
    const page = await publishPage(editor)
    const [one, other] = [`/old${newPath()}.html`, `/old${newPath()}`]
    assert.deepEqual(await add(`http://www.old.example${one}?utm=1#top`, page.path), {
      ...{ from: one, outcome: 'added', message: '', field: null },
    })
    assert.equal((await add(other, '/contact'))?.outcome, 'added')
    assert.deepEqual(await locationOf(one), [301, page.path])
    assert.deepEqual(await locationOf(`${other}/?a=b`), [301, '/contact?a=b'])
    assert.equal((await add(other, '/contact'))?.outcome, 'same')
    assert.equal((await add(other, page.path))?.outcome, 'changed')
    assert.deepEqual(await locationOf(other), [301, page.path])
    await editor.call(redirects.remove, { from: other })
    assert.deepEqual(await locationOf(other), [404, null])
    assert.equal((await editor.send('POST', redirects.remove.path, { from: other })).status, 404)
  })

  test('an old address never leads to another site, and never hides a page of this one (W21)', async () => {
    const page = await publishPage(editor)
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/nowhere',
      '/dashboard',
      '',
      'javascript:x',
    ])
      assert.equal((await add(`/from${newPath()}`, to))?.outcome, 'refused', to)
    for (const from of [
      '/',
      '/contact',
      '/news',
      '/api/content',
      '/dashboard',
      '/pictures/x',
      '/auth',
      page.path,
    ])
      assert.equal((await add(from, '/about-us'))?.outcome, 'refused', from)
    assert.equal((await add('/news/from-before', '/about-us'))?.outcome, 'added')
    assert.deepEqual(await locationOf(page.path), [200, null])
    assert.deepEqual(await locationOf('/contact'), [200, null])
  })

  test('a trial changes nothing and says what would happen', async () => {
    const from = `/trial${newPath()}`
    assert.equal((await add(from, '/contact', true))?.outcome, 'added')
    assert.deepEqual(await locationOf(from), [404, null])
  })

  test('the list has every address in pages, finds part of one, and says whether it leads anywhere', async () => {
    const page = await publishPage(editor)
    const names = [1, 2, 3].map(at => `/listed_100-${at}`)
    for (const name of names) await add(name, page.path)
    const found = await editor.call(redirects.list, { q: 'LISTED_100', limit: 2 })
    const rest = await editor.call(redirects.list, { q: 'listed', limit: 2, cursor: found.nextCursor ?? '' })
    const all = [...found.redirects, ...rest.redirects]
    assert.deepEqual(
      all.map(({ from, to, isLive }) => [from, to, isLive]),
      names.map(name => [name, page.path, true]),
    )
    assert.equal(rest.nextCursor, null)
  })

  test('an address that staff named stays when its page is renamed more often than is remembered', async () => {
    const page = await publishPage(editor)
    const named = `/named${newPath()}`
    await add(named, page.path)
    for (let at = 0; at <= MAX_FORMER_PATHS; at++)
      await addRedirect(services.db, () => new Date(services.clock().getTime() + at), newPath(), page.id)
    await services.content.refresh()
    assert.deepEqual(await locationOf(named), [301, page.path])
  })

  test('a file that every installation has is no old address, and the page of the team can be led to', async () => {
    for (const from of ['/robots.txt', '/sitemap.xml', '/favicon.ico', '/site.webmanifest', '/news/feed.xml'])
      assert.equal((await add(from, '/contact'))?.outcome, 'refused', from)
    assert.equal((await add(`/people${newPath()}`, '/team'))?.outcome, 'added')
  })

  test('the numbers of a program stay apart: those of WordPress are kept, and others are refused', async () => {
    assert.equal((await add('/index.php?page_id=812', '/contact'))?.from, '/?p=812')
    assert.equal((await add('/index.php?p=813', '/about-us'))?.outcome, 'added')
    assert.deepEqual(await locationOf('/index.php?p=812'), [301, '/contact'])
    assert.deepEqual(await locationOf('/?p=813'), [301, '/about-us'])
    for (const from of ['/index.php?cat=3', '/view.asp?id=12', '/index.php?p=1&x=2'])
      assert.equal((await add(from, '/contact'))?.outcome, 'refused', from)
  })

  test('capitals of every alphabet are found on both engines', async () => {
    await add('/R\u00c9SUM\u00c9', '/contact')
    for (const q of ['r\u00e9sum\u00e9', 'R\u00c9SUM\u00c9', '\u00c9'])
      assert.equal((await editor.call(redirects.list, { q })).redirects.length, 1, q)
  })

  test('a file of tabs is read in a moment, and quotes next to a tab', () => {
    const { passed } = stopwatch()
    readRedirectLines('\t'.repeat(50_000))
    assert.ok(passed() < 500)
    const [line] = readRedirectLines('"/a"\t"/contact"\t"more"')
    assert.deepEqual([line?.from, line?.to], ['/a', '/contact'])
  })

  test('the log says where each old address led, and where it leads', async () => {
    const from = `/logged${newPath()}`
    await add(from, '/contact')
    await editor.call(redirects.remove, { from })
    const rows = await services.db.selectFrom('logs').select('details').execute()
    const own = rows.filter(({ details }) => details.includes(from)).map(({ details }) => JSON.parse(details))
    assert.deepEqual(
      own.map(details => [details.from, details.to]),
      [
        [[from], ['/contact']],
        [from, '/contact'],
      ],
    )
  })
})
