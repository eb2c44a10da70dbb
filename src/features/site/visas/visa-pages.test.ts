import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openDocumentSite } from '../../../../tests/support/document-site.ts'
import { changeDocument } from '../../../../tests/support/documents.ts'
import { describedVisas } from '../../../content/visas.ts'
import { content } from '../../content-editor/contract.ts'

suite('Pages of visas', async () => {
  const { site, editor, read, newVisa, publish } = await openDocumentSite()
  const { services } = site

  test('a visa page shows its subclasses, each figure with its date and source, and how to ask', async () => {
    const { path } = await publish(editor, 'visa', { path: newVisa(), title: 'A visa', numbers: ['482'] })
    const html = await read(path)
    assert.match(html, /<span>482 <\/span>/)
    assert.match(html, /Open to applications/)
    assert.match(html, /65 points<\/strong>.*?<span class="site-as-at">As at 1 July 2026, <a href="https:/)
    assert.equal(html.split(`href="/contact?form=visa-assessment&amp;visa=${path.slice(7)}#`).length, 3)
    assert.ok((await read('/visas')).includes(`<a href="${path}">A visa</a>`))
    assert.ok((await read('/')).includes(`href="${path}"`), 'the card of the same subclass leads there')
  })

  test('a visa page says that it is open as at the date of its figures, and not of the day on which it was published (found V5)', async () => {
    const shown = async (figures: boolean) => {
      const { id, path } = await publish(editor, 'visa', { path: newVisa(), title: 'A dated visa' })
      const { draft } = await editor.call(content.open, { id })
      if (!figures) await changeDocument(editor, id, { ...draft.body, figures: [] })
      await services.content.refresh()
      return /<p class="site-open">(.*?)<\/p>/.exec(await read(path))?.[1]
    }
    assert.equal(await shown(true), '<strong>Open to applications</strong> as at 1 July 2026')
    assert.equal((await shown(false))?.trim(), '<strong>Open to applications</strong>')
  })

  test('the form that a visa page leads to names the visa and its service, and a visa that is not there fills in nothing (found V8)', async () => {
    const { path } = await publish(editor, 'visa', {
      path: newVisa(),
      title: 'Work “here” & stay',
      numbers: ['482', '186'],
    })
    const html = await read(path)
    const [, href = ''] = /<aside class="site-ask-card">.*?href="([^"#]*)#/.exec(html) ?? []
    const form = await read(href.replaceAll('&amp;', '&'))
    assert.match(form, /name="details\.visa"[^>]* value="Work “here” &amp; stay \(482, 186\)"/)
    assert.match(form, /<option value="business" selected="">/)
    assert.match(form, /href="\/contact\?form=visa-assessment#get-in-touch" aria-current="true"/)
    for (const other of ['no-such-visa', '../contact', '<b>'])
      assert.match(
        await read(`/contact?form=visa-assessment&visa=${encodeURIComponent(other)}`),
        /name="details\.visa"[^>]* value=""/,
      )
  })

  test('a card leads to the page of its own visa, not to another one of the same number', async () => {
    const closed = describedVisas(site.services.content.read().site).filter(
      ({ subclasses }) => subclasses[0]?.numbers[0] === '188',
    )
    assert.equal(closed.length, 3)
    const paths = new Map<string, string>()
    for (const { title, subclasses } of closed) {
      const { id, path } = await publish(editor, 'visa', { path: newVisa(), title, isClosed: true })
      const { draft } = await editor.call(content.open, { id })
      await changeDocument(editor, id, { ...draft.body, subclasses })
      paths.set(title, path)
    }
    await services.content.refresh()
    const home = await read('/')
    for (const [title, path] of paths) assert.ok(home.includes(`<a href="${path}">${title}</a>`), title)
  })

  test('a visa page names the source of figures that follow one another once, below the last', async () => {
    const { id, path } = await publish(editor, 'visa', { path: newVisa(), title: 'A visa' })
    const { draft } = await editor.call(content.open, { id })
    const names = ['pass-mark', 'extra-points-for-a-subclass-190-nomination', 'age']
    const figures = names.map((name, at) => ({
      ...{ id: `figure-${at}`, label: name },
      fact: `general-skilled-migration-${name}`,
    }))
    await changeDocument(editor, id, { ...draft.body, figures })
    await services.content.refresh()
    const [glance = ''] = (await read(path)).split('<aside')
    const tables = glance.split('<dl class="site-table">').slice(1)
    const counts = tables.map(table => [
      table.split('<dt ').length - 1,
      table.split('As at 1 July').length - 1,
    ])
    assert.deepEqual(counts, [
      [2, 1],
      [1, 1],
    ])
  })

  test('a visa page leads to the open visas that its text names, then to those of the same kind', async () => {
    const visas = []
    for (const title of ['The same kind', 'Closed', 'Named'])
      visas.push(await publish(editor, 'visa', { path: newVisa(), title, isClosed: title === 'Closed' }))
    const { id, path } = await publish(editor, 'visa', { path: newVisa(), title: 'First' })
    const { draft } = await editor.call(content.open, { id })
    const link = { type: 'link', attrs: { href: visas[2]?.path } }
    const node = { type: 'paragraph', content: [{ type: 'text', text: 'Another', marks: [link] }] }
    const block = { id: 'text-9', type: 'text', text: { type: 'doc', content: [node] } }
    await changeDocument(editor, id, { ...draft.body, blocks: [block] })
    await services.content.refresh()
    const [, related = ''] = (await read(path)).split('<section class="site-related">')
    const shown = [...related.matchAll(/<a href="(\/visas\/[^"]*)">/g)].map(([, href]) => href)
    assert.equal(shown[0], visas[2]?.path)
    assert.ok(shown.length === 3 && !shown.includes(path) && !shown.includes(visas[1]?.path))
  })

  test('a visa that is closed says since when, and what took its place', async () => {
    const { path } = await publish(editor, 'visa', { path: newVisa(), title: 'Old visa', isClosed: true })
    const html = await read(path)
    assert.match(html, /Closed since 31 July 2024/)
    assert.match(html, /National Innovation visa<\/a> instead: it is by invitation/)
    assert.doesNotMatch(html, /Open to applications/)
  })

  test('the list of visas has the order of the home page, and says once what closed', async () => {
    const { id } = await publish(editor, 'visa', { path: newVisa(), title: 'Ended', isClosed: true })
    const html = await read('/visas')
    const rows = [...html.matchAll(/<h[23] class="site-row-title">(<a [^<]*)/g)].map(([, row = '']) => row)
    const [family, employer, ended] = ['Family migration', 'Employer nomination', 'Ended'].map(title =>
      rows.findIndex(row => row.endsWith(`>${title}`)),
    )
    assert.ok(family === 0 && employer && ended && employer < ended, rows.join('\n'))
    assert.equal(new Set(rows).size, rows.length)
    await editor.call(content.unpublish, { id })
    await services.content.refresh()
  })
})
