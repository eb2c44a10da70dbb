import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { allBlocks, button, form, quote, table } from '../../../../tests/support/blocks.ts'
import { openBrowser } from '../../../../tests/support/browser.ts'
import { addPage, newPath, pageBody } from '../../../../tests/support/content.ts'
import { changeDocument } from '../../../../tests/support/documents.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { content } from '../../content-editor/contract.ts'
import { facts as contentFacts } from '../../content-editor/facts/contract.ts'

suite('Blocks on a public page', async () => {
  const testApp = await openTestApp()
  const site = await openSite(testApp)
  const { url, services } = site
  const { email } = await createStaff(testApp, 'editor')
  const siteBrowser = openBrowser(
    { fetch: request => site.fetch(request) },
    services.config.publicUrl,
    '192.0.2.1',
  )
  const [editor] = [await signInAs(testApp, email), await signInAs(testApp, email, siteBrowser)]
  const main = async (path: string) =>
    /<main.*<\/main>/s.exec(await (await fetch(`${url}${path}`)).text())?.[0] ?? ''

  async function publish(blocks: readonly object[]) {
    const { id, path } = await addPage(editor, { path: newPath() })
    await changeDocument(editor, id, { ...pageBody(path), blocks })
    await services.content.refresh()
    return { id, html: await main(path) }
  }

  test('a table stays one for screen readers where its rows are cards, and each cell names its column', async () => {
    const { html } = await publish([table])
    assert.match(html, /<table role="table"><caption>What you pay us<\/caption><thead role="rowgroup">/)
    assert.match(html, /<th role="columnheader" scope="col">Work<\/th><th [^>]*>Price<\/th>/)
    assert.match(html, /<tr role="row"><th role="rowheader" scope="row">First question<\/th>/)
    assert.match(html, /<td role="cell" data-label="Price">Nothing<\/td>/)
    assert.match(html, /Opinion<\/th><td role="cell" data-label="Price"><\/td>/)
  })

  test('a cell that names a fact shows its value and, below the table, its date and source (found E7)', async () => {
    const { facts } = await editor.call(contentFacts.list, {})
    const [{ name, fact }] = [facts.find(({ fact }) => fact.endsOn === null) ?? assert.fail()]
    const rows = [{ id: 'first', cells: { work: 'The visa', price: `from {${name}} on` } }]
    const { id, html } = await publish([{ ...table, grid: { ...table.grid, rows } }])
    const shown = html.replaceAll('\u00a0', ' ')
    assert.ok(shown.includes(`data-label="Price">from ${`${fact.value} ${fact.unit}`.trim()} on</td>`), shown)
    assert.ok(shown.includes(fact.source.label))
    const listed = (await editor.call(contentFacts.list, {})).facts.find(each => each.name === name)
    assert.ok(listed?.usedBy.some(use => use.id === id))
    const { draft } = await editor.call(content.open, { id })
    const unknown = [{ id: 'first', cells: { price: '{no-such-fact}' } }]
    const body = { ...draft.body, blocks: [{ ...table, grid: { ...table.grid, rows: unknown } }] }
    const { revision } = await editor.call(content.saveDraft, { id, body, revision: draft.revision })
    const refused = await editor.send('POST', `/api/content/${id}/publish`, { revision })
    assert.equal((await refused.json()).errors['blocks.0.grid.rows.0.cells.price'], 'There is no such fact')
  })

  test('a callout without a title says what it is, and a button is a link', async () => {
    const { html } = await publish(allBlocks)
    assert.match(html, /role="note" aria-label="Important" data-tone="important">.*Bring your passport\./s)
    assert.match(html, /<a href="\/fees" class="button button-primary">Read about fees<\/a>/)
  })

  test('a quote says who said it, and leads to its source', async () => {
    const { html } = await publish([quote])
    assert.match(html, /<blockquote><p dir="auto">“A visa is never promised.”<\/p><\/blockquote>/)
    assert.match(html, /<bdi>The Department<\/bdi><span>, <a href="https:\/\/immi[^>]*>Its page<\/a>/)
  })

  test('a form is in the page with its kind chosen, works without a script, and says what is kept', async () => {
    const { html } = await publish([form])
    assert.match(html, /<form [^>]*action="\/contact" method="post">/)
    assert.match(html, /<input type="hidden" name="formType" value="visa-assessment"\/>/)
    assert.match(html, /What happens to what you send/)
  })

  test('a cell says only what is in the column that it names', async () => {
    const rows = [{ id: 'first', cells: { work: 'First question', gone: 'Hidden', price: 'Nothing' } }]
    const columns = [...table.grid.columns, { id: 'constructor', label: 'When' }]
    const { html } = await publish([{ ...table, grid: { columns, rows } }])
    assert.doesNotMatch(html, /Hidden|function/)
  })

  test('a preview names the field of each part, and half an address is no link', async () => {
    const { id, path } = await addPage(editor, { path: newPath() })
    const { draft } = await editor.call(content.open, { id })
    const body = {
      ...pageBody(path),
      blocks: [...allBlocks, { ...button, id: 'b', address: 'javascript:x' }],
    }
    await editor.call(content.saveDraft, { id, body, revision: draft.revision })
    const html = await (await siteBrowser.send('GET', `/preview/${id}/`)).text()
    for (const field of [
      'blocks.0.caption',
      'blocks.0.grid.columns.1.label',
      'blocks.0.grid.rows.0.cells.price',
      'blocks.1.title',
      'blocks.1.text',
      'blocks.2.text',
      'blocks.3.kind',
      'blocks.4.text',
      'blocks.4.who',
      'blocks.4.source',
    ])
      assert.ok(html.includes(`data-edit="${field}"`), field)
    assert.match(html, /<span class="button button-primary" data-edit="blocks.5.text">/)
  })
})
