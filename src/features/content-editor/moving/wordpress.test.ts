// In a process of its own: it measures processor time.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { processorTime } from '../../../../tests/support/processor-time.ts'
import { type ExportedItem, exportOf, OLD_SITE, richPost } from '../../../../tests/support/wordpress.ts'
import { findShapeErrors, isTooLong } from '../../../content/bodies.ts'
import type { ApiClient } from '../../../http/api-client.ts'
import { UnreadableFile } from '../../../platform/zip.ts'
import { toCsv } from './report.ts'
import { planWordPress } from './wordpress-works.ts'
import { readWordPress } from './wxr.ts'

/** Characters that a page may have when it is published. */
const MAX_PUBLISHED = 256 * 1024
const picture = { id: 'a'.repeat(32), width: 800, height: 600 }
/** Milliseconds for what is as large or as nested as a file can be. */
const MAX_TIME = 5000

/** A server that has room for everything, and no picture whose address has "missing". */
async function convert(items: readonly ExportedItem[], xml = exportOf(items)) {
  const call = (async (_contract: unknown, { documents }: { documents: { path: string }[] }) => ({
    places: documents.map(({ path }) => ({ path, state: 'new' })),
    room: 2000,
  })) as unknown as ApiClient
  const plan = await planWordPress(readWordPress(xml), call)
  const find = async (source: string) => (/missing|^x$/.test(source) ? 'it is not in the archive' : picture)
  const made = []
  for (const work of plan.works({ find })) made.push({ title: work.title, ...(await work.prepare()) })
  const documents = made.flatMap(each => each.documents)
  const notes = made.flatMap(each => each.notes.map(note => ({ ...note, document: each.title })))
  for (const { kind, body } of documents) {
    const parsed: unknown = JSON.parse(body)
    assert.deepEqual(findShapeErrors(kind, parsed), {})
    assert.ok(!isTooLong(parsed) && body.length <= MAX_PUBLISHED)
  }
  return { plan, documents, notes, bodies: documents.map(({ body }) => body).join('\n') }
}

/** The blocks of one post with this content. */
async function blocksOf(content: string, more: Partial<ExportedItem> = {}) {
  const { documents, notes } = await convert([{ id: 1, content, ...more }])
  const body: { blocks: Record<string, unknown>[] } = JSON.parse(documents[0]?.body ?? '')
  return { blocks: body.blocks, notes: notes.map(({ what, why }) => `${what}: ${why}`) }
}

suite('Import from WordPress', () => {
  test('of two hundred posts every word is in a draft or in the report, and nothing that runs is in a draft (W19)', async () => {
    const items = Array.from({ length: 200 }, (_, at) => richPost(at + 1))
    const attachments = [9001, 9002, 9003].map(id => ({
      ...{
        id,
        type: 'attachment',
        status: 'inherit',
        attachment: `${OLD_SITE}/wp-content/uploads/g-${id}.jpg`,
      },
      excerpt: `gallery${id}`,
    }))
    const { plan, documents, notes, bodies } = await convert([...items, ...attachments])
    assert.equal(documents.length, 200)
    const report = toCsv([...notes, ...plan.lines])
    for (let id = 1; id <= 200; id++) {
      for (const word of [
        'Opening',
        'bold',
        'next',
        'Heading',
        'first',
        'inner',
        'second',
        'alt',
        'caption',
        'gone',
      ])
        assert.ok(bodies.includes(`${word}${id}`) || report.includes(`${word}${id}`), `${word}${id}`)
      for (const word of [
        'figcaption',
        'Visa',
        'cell',
        'table',
        'click',
        'script',
        'data',
        'hostile',
        'quote',
      ])
        assert.ok(bodies.includes(`${word}${id}`) || report.includes(`${word}${id}`), `${word}${id}`)
    }
    for (const id of [9001, 9002]) assert.ok(bodies.includes(`gallery${id}`))
    assert.ok(report.includes('g-9003.jpg'))
    assert.ok(bodies.includes('"href":"/news/post-2"') && bodies.includes('[sic]'))
    assert.doesNotMatch(bodies, /evil|javascript:|data:text|onclick|youtube|contact-form/)
    for (const lost of [
      'Shortcode [contact-form-7',
      'Frame: https://www.youtube.com/embed/1"',
      'Script',
      'Link to javascript:evil()',
      'Link to data:text/html,evil',
      'Gallery',
      'Quotation',
      'Comments: 1',
      'Categories and tags: News (category)',
      'Its date: 2021-03-04 10:00:00',
      'missing-1.png',
      'Link in a table: https://example.com/x',
    ])
      assert.ok(report.includes(lost), lost)
  })

  test('a post keeps its text, lists, table, pictures with captions, and its address', async () => {
    const { documents } = await convert([richPost(1), richPost(2)])
    const [first] = documents
    assert.deepEqual(
      [first?.kind, first?.path, first?.origin, first?.from],
      ['article', '/news/post-1', 'wordpress:old.example/?p=1', ['/2021/03/post-1', '/?p=1']],
    )
    const { blocks, author, title } = JSON.parse(first?.body ?? '')
    assert.deepEqual([title, author], ['Post 1', 'Mei Tanaka'])
    const kinds = blocks.map(({ type }: { type: string }) => type)
    assert.deepEqual(kinds, ['text', 'picture', 'picture', 'table', 'text', 'picture', 'text'])
    assert.equal(blocks[1].caption, 'caption1')
    assert.deepEqual(blocks[1].picture, {
      picture: picture.id,
      width: 800,
      height: 600,
      alt: 'alt1',
      decoration: false,
      focus: 13,
    })
    assert.deepEqual([blocks[2].picture, blocks[2].caption], [null, 'figcaption1'])
    assert.deepEqual(blocks[3].grid.columns, [
      { id: 'c1', label: 'Visa1' },
      { id: 'c2', label: 'Fee' },
    ])
    assert.deepEqual(blocks[3].grid.rows, [{ id: 'r1', cells: { c1: '482', c2: 'cell1' } }])
    assert.equal(blocks[3].caption, 'table1')
  })

  test('classic text has its paragraphs, and what is bold goes on in the next line', async () => {
    const { blocks } = await blocksOf('One\n\n<strong>Two\nthree</strong> four')
    const [block] = blocks as [{ text: { content: { content: unknown }[] } }]
    assert.deepEqual(
      block.text.content.map(({ content }) => content),
      [
        [{ type: 'text', text: 'One' }],
        [{ type: 'text', text: 'Two', marks: [{ type: 'strong' }] }],
        [
          { type: 'text', text: 'three', marks: [{ type: 'strong' }] },
          { type: 'text', text: ' four' },
        ],
      ],
    )
  })

  test('a page keeps its place, a draft is said to be one, and what is in the bin stays there', async () => {
    const { documents, notes, plan } = await convert([
      { id: 1, type: 'page', link: `${OLD_SITE}/about/team/`, name: 'team', title: 'The &amp; team' },
      { id: 2, status: 'draft', link: `${OLD_SITE}/?p=2`, name: '', title: 'Über uns' },
      { id: 3, status: 'trash' },
      { id: 4, type: 'nav_menu_item', more: '<category domain="nav_menu"><![CDATA[Main]]></category>' },
      { id: 5, type: 'product' },
      { id: 6, name: '%e5%85%b3%e4%ba%8e', link: `${OLD_SITE}/%e5%85%b3%e4%ba%8e/`, title: '关于' },
      { id: 1, type: 'page', title: 'The same' },
      {
        id: 7,
        type: 'page',
        password: 'secret',
        meta: { price: '5', _wp_old_slug: 'former' },
        link: `${OLD_SITE}/fees/`,
      },
    ])
    assert.deepEqual(
      documents.map(({ path, from }) => [path, ...from]),
      [
        ['/about/team', '/about/team', '/?p=1'],
        ['/news/uber-uns', '/?p=2'],
        ['/news/post-6', '/关于', '/?p=6'],
        ['/post-7', '/fees', '/?p=7', '/former'],
      ],
    )
    const said = [...notes, ...plan.lines].map(({ document, what }) => `${document}: ${what}`)
    for (const line of [
      'Über uns: It was a draft',
      'Post 3: Document',
      'Post 4: Entry of the menu Main',
      'Post 5: Entry of the type product',
      'The same: Document',
      'Post 7: It asked for a password',
      'Post 7: Fields of plug-ins: price',
    ])
      assert.ok(said.includes(line), line)
    assert.equal(JSON.parse(documents[0]?.body ?? '').title, 'The & team')
  })

  test('a table that cannot be one here is text, and no cell names a fact', async () => {
    const row = (cells: number) => `<tr>${'<td>cell</td>'.repeat(cells)}</tr>`
    const wide = await blocksOf(`<table>${row(13)}${row(13)}</table>`)
    assert.deepEqual(
      [wide.blocks[0]?.type, wide.notes.at(-1)?.includes('more than 12 columns')],
      ['text', true],
    )
    const long = await blocksOf(`<table>${row(2)}<tr><td>${'x'.repeat(201)}</td><td>y</td></tr></table>`)
    assert.equal(long.blocks[0]?.type, 'text')
    const nested = await blocksOf(`<table>${row(2)}<tr><td><table>${row(2)}</table></td></tr></table>`)
    assert.equal(nested.blocks[0]?.type, 'text')
    const fact = await blocksOf(`<table>${row(2)}<tr><td>{visa-fee}</td><td colspan="1">y</td></tr></table>`)
    assert.ok(JSON.stringify(fact.blocks).includes('(visa-fee)'))
    const span = await blocksOf('<p><span data-fact="visa-fee">5</span></p>')
    assert.ok(!JSON.stringify(span.blocks).includes('"fact"') && JSON.stringify(span.blocks).includes('"5"'))
  })

  test('a file that is no export, declares entities or ends early is refused or said to be cut off (W22)', async () => {
    const refuses = (xml: string, words: RegExp) =>
      assert.throws(
        () => readWordPress(xml),
        (error: Error) => error instanceof UnreadableFile && words.test(error.message),
      )
    refuses('<rss><channel></channel></rss>', /not an export/)
    refuses('not xml', /not an export/)
    refuses('<!DOCTYPE a [<!ENTITY b "&c;&c;">]><rss/>', /entities/)
    refuses('<a>'.repeat(1000), /too deeply/)
    refuses('<a></b>', /damaged/)
    const xml = exportOf([{ id: 1 }, { id: 2, content: 'Half of it' }])
    const { documents, plan } = await convert([], xml.slice(0, xml.indexOf('Half of it')))
    assert.equal(documents.length, 1)
    assert.ok(plan.lines.some(({ why }) => why.includes('cut off')))
  })

  test('what is nested, long or damaged as much as a file can be takes seconds at most, and is divided (W22)', async () => {
    const hostile: Record<string, string> = {
      nested: `${'<div><ul><li><blockquote>'.repeat(10_000)}deepest`,
      tables: `${'<table><tr><td>'.repeat(5_000)}deepest`,
      long: `<p>${'word '.repeat(2_000_000)}deepest</p>`,
      list: `<ul>${'<li>item</li>'.repeat(10_000)}<li>deepest</li></ul>`,
      marks: `<p>${'<b>x</b>y'.repeat(5_000)}deepest</p>`,
      codes: `${'[sic] [a [b '.repeat(20_000)}deepest`,
      tags: `${'<script <iframe '.repeat(20_000)}`,
      comments: '<!-- wp:x '.repeat(100_000),
      controls: '\u0000\ud800\u202e<p title="\u0000">deepest',
    }
    for (const [name, content] of Object.entries(hostile)) {
      let bodies = ''
      const time = await processorTime(async () => {
        bodies = (await convert([{ id: 1, content }])).bodies
      })
      assert.ok(time < MAX_TIME, `${name} took ${time} ms`)
      assert.ok(bodies.includes('deepest') || !content.includes('deepest'), name)
      assert.doesNotMatch(bodies, /\\u0000|\\ud800/, name)
    }
  })

  test('a file with more posts than a site can have is refused before anything is imported', async () => {
    const items = Array.from({ length: 20_000 }, (_, at) => ({ id: at + 1 }))
    await assert.rejects(convert(items), /20000 pages and posts, and 5000 can be read at once/)
  })

  test('the report cannot run a formula in a spreadsheet', () => {
    const line = { kind: 'changed' as const, document: '=cmd()', what: '+1', why: 'a "quoted" word' }
    assert.match(toCsv([line]), /"'=cmd\(\)","'\+1","a ""quoted"" word"/)
  })
})
