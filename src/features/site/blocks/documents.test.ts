import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newPath } from '../../../../tests/support/content.ts'
import { openDocumentSite } from '../../../../tests/support/document-site.ts'
import { bodies, changeDocument } from '../../../../tests/support/documents.ts'
import { addPicture } from '../../../../tests/support/pictures.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { openTestApp, PUBLIC_URL } from '../../../../tests/support/test-app.ts'
import { newPictureUse } from '../../../content/picture-use.ts'
import { sampleArticles, samplePages } from '../../../sample/pages.server.ts'
import { content } from '../../content-editor/contract.ts'
import { landscapeAt } from './picture.tsx'

suite('Pages of documents', async () => {
  const { site, editor, open, read, newArticle, describe, publish, changeSite } = await openDocumentSite()
  const { services } = site

  test('the list of news says that there is none, and nothing leads to it', async () => {
    await changeSite({ menu: [{ id: 'news', label: 'Our news', path: '/news' }] })
    assert.match(await read('/news'), /There is no news yet/)
    assert.doesNotMatch(await read('/sitemap.xml'), /\/news/)
    assert.doesNotMatch(await read('/'), /Our news/)
  })

  test('a page has a title, a description, its blocks and where it is, and none after it goes offline', async () => {
    const path = newPath()
    assert.equal((await open(path)).status, 404)
    const { id } = await publish(editor, 'page', { path, title: 'What it costs' })
    const html = await read(path)
    assert.match(html, /<title>What it costs \| Landfall Migration<\/title>/)
    assert.ok(html.includes(`<link rel="canonical" href="${PUBLIC_URL}${path}"/>`))
    assert.match(html, /<meta name="description" content="What to know about this: What it costs."\/>/)
    for (const text of [
      '<h1>What it costs</h1>',
      '<h2>Who it is for</h2>',
      '<summary>When do I pay?</summary>',
    ])
      assert.ok(html.includes(text), text)
    const [breadcrumb, ...others] = describe(html)
    assert.deepEqual(others, [])
    assert.deepEqual(
      breadcrumb.itemListElement.map(({ item }: { item: string }) => item),
      [`${PUBLIC_URL}/`, `${PUBLIC_URL}${path}`],
    )
    assert.doesNotMatch(html, /data-edit|FAQPage/)
    await editor.call(content.unpublish, { id })
    await services.content.refresh()
    assert.equal((await open(path)).status, 404)
  })

  test('a document comes from memory after the first request, and is not sent again unchanged', async () => {
    const { path } = await publish(editor, 'page', { path: newPath(), title: 'Fees' })
    const { headers } = await open(path)
    const before = site.slowRequests
    const again = await open(path, { headers: { 'If-None-Match': headers.get('etag') ?? '' } })
    assert.deepEqual([again.status, site.slowRequests], [304, before])
  })

  test('an article says who wrote it and when, and where it changed', async () => {
    const article = { path: newArticle(), title: 'New fees' }
    const { id, path } = await publish(editor, 'article', article)
    const html = await read(path)
    assert.match(html, /By Alex Sample\./)
    assert.match(html, /<meta property="og:type" content="article"\/>/)
    const [first] = describe(html).filter(it => it['@type'] === 'Article')
    assert.equal(first.datePublished, first.dateModified)
    assert.ok(Date.parse(first.datePublished) > 0)
    await changeDocument(editor, id, bodies.article({ path, title: 'Newer fees' }))
    await services.content.refresh()
    const [second] = describe(await read(path)).filter(it => it['@type'] === 'Article')
    assert.deepEqual([second.headline, second.datePublished], ['Newer fees', first.datePublished])
    assert.ok(second.dateModified > first.dateModified)
  })

  test('articles have landscapes, not all the same, and each keeps its own', () => {
    const landscapes = sampleArticles.map(({ path }) => landscapeAt(path))
    assert.ok(new Set(landscapes).size > 1)
    assert.deepEqual(
      sampleArticles.map(({ path }) => landscapeAt(path)),
      landscapes,
    )
  })

  test('an article lists the source of its figures once, and says how to ask', async () => {
    const { path } = await publish(editor, 'article', { path: newArticle(), title: 'New fees' })
    const [, sources = ''] = (await read(path)).split('<section class="site-sources">')
    assert.equal(sources.split('</section>')[0]?.split('<li>').length, 2)
    assert.match(sources, /<aside .*?href="\/contact#get-in-touch">Ask us<\/a>/s)
  })

  test('a page names the date and source of the figures of a section once, below them', async () => {
    const [path, title] = [newPath(), 'Fees']
    const { blocks } = bodies.article({ path, title })
    const { id } = await publish(editor, 'page', { path, title })
    await changeDocument(editor, id, { ...bodies.page({ path, title }), blocks })
    await services.content.refresh()
    const html = await read(path)
    assert.equal(html.match(/<p class="site-as-at"><span>As at [^<]+<a href="https:/g)?.length, 1)
    assert.equal(html.match(/\bas at\b/gi)?.length, 1)
  })

  test('an article shows its pictures with their captions, and is shared with the first one', async () => {
    const { id, path } = await publish(editor, 'article', { path: newArticle(), title: 'New fees' })
    const use = { ...newPictureUse({ id: await addPicture(editor), width: 32, height: 24 }), alt: 'A map' }
    const block = { id: 'picture-1', type: 'picture', picture: use, caption: 'Where we are' }
    const article = bodies.article({ path, title: 'New fees' })
    await changeDocument(editor, id, { ...article, blocks: [...article.blocks, block] })
    await services.content.refresh()
    const html = await read(path)
    const file = `/pictures/${use.picture}-32`
    assert.match(html, new RegExp(`<source type="image/avif" srcSet="${file}.avif 32w"`))
    assert.match(html, /alt="A map" width="32" height="24" loading="lazy"/)
    assert.match(html, /<figcaption>Where we are<\/figcaption>/)
    assert.ok(html.includes(`<meta property="og:image" content="${PUBLIC_URL}${file}.jpg"/>`))
    assert.match(html, /og:image:width" content="32".*og:image:height" content="17"/)
    const shared = await open(`${file}.jpg`)
    assert.deepEqual([shared.status, shared.headers.get('content-type')], [200, 'image/jpeg'])
    assert.match(html, /<meta property="og:image:alt" content="A map"\/>/)
    assert.equal(describe(html).find(it => it['@type'] === 'Article')?.image, `${PUBLIC_URL}${file}.webp`)
    assert.equal((await open(`${file}.webp`)).status, 200)
  })

  test('a path that a document had leads to its current one with the query, and no further', async () => {
    const [old, middle, current] = [newPath(), newPath(), newPath()]
    const { id } = await publish(editor, 'page', { path: old, title: 'Fees' })
    for (const path of [middle, current])
      await changeDocument(editor, id, bodies.page({ path, title: 'Fees' }))
    await services.content.refresh()
    for (const path of [old, middle]) {
      const { status, headers } = await open(`${path}?utm_source=email`)
      assert.deepEqual([status, headers.get('location')], [301, `${current}?utm_source=email`])
      assert.equal(headers.get('cache-control'), 'public, max-age=60')
    }
    assert.equal((await open(current)).status, 200)
    await publish(editor, 'page', { path: old, title: 'Another page' })
    assert.equal((await open(old)).status, 200)
  })

  test('menus lead to what is live only, and follow a page that moves', async () => {
    const { id, path } = await publish(editor, 'page', { path: newPath(), title: 'Prices' })
    const entry = { id: 'prices', label: 'Our prices', path }
    const gone = { id: 'gone', label: 'Nowhere', path: '/nowhere' }
    await changeSite({ menu: [entry, gone], footerPages: [entry, gone] })
    const count = async (text: string) => (await read('/about-us')).split(text).length - 1
    // In the header, in the menu of phones, and in the footer.
    assert.deepEqual([await count(`href="${path}"`), await count('Nowhere')], [3, 0])
    const moved = newPath()
    await changeDocument(editor, id, bodies.page({ path: moved, title: 'Prices' }))
    await services.content.refresh()
    assert.deepEqual([await count(`href="${path}"`), await count(`href="${moved}"`)], [0, 3])
    await editor.call(content.unpublish, { id })
    await services.content.refresh()
    assert.equal(await count('Our prices'), 0)
  })

  test('the pages that the header of every site has are in it once, although a menu names them', async () => {
    const menu = ['/', '/about-us', '/contact'].map(path => ({ id: `m${path.length}`, label: 'Again', path }))
    await changeSite({ menu, footerPages: [] })
    const html = await read('/visas')
    const header = html.slice(0, html.indexOf('<main'))
    assert.doesNotMatch(header, /Again/)
    assert.match(header, /Home<\/a>.*About Us<\/a>.*Contact<\/a>/)
    assert.equal(html.split('Again').length, 4)
    await changeSite({ menu: [] })
  })

  test('the sitemap names every document with the time of its publication', async () => {
    const { path } = await publish(editor, 'page', { path: newPath(), title: 'Fees' })
    const changedAt = services.content.read().documents.get(path)?.changedAt
    assert.ok(changedAt)
    const sitemap = await read('/sitemap.xml')
    assert.ok(sitemap.includes(`<loc>${PUBLIC_URL}${path}</loc><lastmod>${changedAt}</lastmod>`))
  })

  test('what the installation came with has no date but its own, in the feed, the sitemap and on pages (found V5)', async () => {
    const undated = sampleArticles.map(({ liveFrom: _, ...article }) => article)
    const samples = { ...samplePages, documents: () => undated }
    const fresh = await openTestApp({}, { samples })
    const served = await openSite(fresh)
    const show = async (path: string) => await (await fetch(`${served.url}${path}`)).text()
    const year = String(fresh.services.clock().getUTCFullYear())
    const feed = await show('/news/feed.xml')
    assert.doesNotMatch(feed, /<entry>/)
    assert.doesNotMatch(await show('/sitemap.xml'), /<lastmod>/)
    for (const { path } of undated) {
      const html = await show(path)
      assert.doesNotMatch(html, /datePublished|dateModified/, path)
      assert.doesNotMatch(html, new RegExp(`<time[^>]*>[^<]*${year}`), path)
    }
    assert.match(feed, /<updated>1970-/, 'the form wants a date: it is no day that somebody could believe')
  })

  test('the feed has each article once, newest first, with an id that outlives its path', async () => {
    const title = 'Fees & <charges>'
    const { id, path } = await publish(editor, 'article', { path: newArticle(), title })
    const moved = newArticle()
    await changeDocument(editor, id, bodies.article({ path: moved, title }))
    await services.content.refresh()
    const response = await open('/news/feed.xml')
    assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
    const feed = await response.text()
    const [newest = ''] = feed.match(/<entry>.*?<\/entry>/s) ?? []
    assert.match(newest, new RegExp(`<id>urn:uuid:${id}</id>`))
    assert.match(newest, /<title>Fees &amp; &lt;charges&gt;<\/title>/)
    assert.ok(newest.includes(`href="${PUBLIC_URL}${moved}"`) && !feed.includes(path))
    for (const name of ['updated', 'summary', 'author']) assert.ok(newest.includes(`<${name}>`), name)
    assert.match(await read('/news'), /rel="alternate" type="application\/atom\+xml" href="\/news\/feed.xml"/)
    const known = { 'If-None-Match': response.headers.get('etag') ?? '' }
    assert.equal((await open('/news/feed.xml', { headers: known })).status, 304)
  })
})
