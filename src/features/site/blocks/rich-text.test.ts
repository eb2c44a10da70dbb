import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { runnerImport } from 'vite'
import fc from '../../../../tests/support/properties.ts'
import type { Fact } from '../../../content/facts.ts'
import { RichText } from '../../../content/rich-text.ts'
import { textsFor } from '../../../i18n/texts.ts'

type RichTextModule = typeof import('./rich-text.tsx')

const fact: Fact = {
  name: 'pass-mark',
  value: '65',
  unit: 'points',
  asAt: '2026-07-01',
  source: { label: 'Department of Home Affairs', url: 'https://immi.homeaffairs.gov.au/' },
  reviewBy: '2027-07-01',
  endsOn: '2027-06-30',
}

suite('Rich text', async () => {
  const { RichTextView } = (await runnerImport<RichTextModule>('/src/features/site/blocks/rich-text.tsx'))
    .module
  const facts = new Map([[fact.name, fact]])
  const show = (text: RichText, today = '2026-12-01') =>
    renderToStaticMarkup(
      createElement(RichTextView, { text, context: { facts, today, texts: textsFor('en') } }),
    )
  const run = (text: string, ...marks: readonly object[]) => ({
    type: 'text',
    text,
    ...(marks.length > 0 && { marks }),
  })
  const paragraph = (...content: readonly object[]) => ({ type: 'paragraph', content })
  const read = (...content: readonly object[]) => RichText.parse({ type: 'doc', content })
  const link = (href: string) => ({ type: 'link', attrs: { href } })
  const factNode = (...marks: readonly object[]) => ({ type: 'fact', attrs: { name: fact.name }, marks })

  test('is shown as headings, lists, emphasis and links', () => {
    const items = ['one', 'two'].map(text => ({ type: 'list_item', content: [paragraph(run(text))] }))
    const html = show(
      read(
        { type: 'heading', attrs: { level: 2 }, content: [run('Fees')] },
        paragraph(run('We '), run('say', { type: 'strong' }, { type: 'em' }), run(' so', link('/fees'))),
        { type: 'ordered_list', content: items },
        {
          type: 'bullet_list',
          content: [
            { type: 'list_item', content: [paragraph(run('a')), { type: 'bullet_list', content: items }] },
          ],
        },
      ),
    )
    assert.equal(
      html,
      '<h2>Fees</h2><p>We <strong><em>say</em></strong><a href="/fees"> so</a></p>' +
        '<ol><li><p>one</p></li><li><p>two</p></li></ol>' +
        '<ul><li><p>a</p><ul><li><p>one</p></li><li><p>two</p></li></ul></li></ul>',
    )
  })

  test('a fact is shown as its value, and after its end as its source only', () => {
    const text = read(paragraph(factNode({ type: 'strong' }, link('/points'))))
    assert.equal(show(text, '2027-06-30'), '<p><strong><a href="/points">65 points</a></strong></p>')
    assert.doesNotMatch(show(text, '2027-07-01'), /65/)
    assert.match(show(text, '2027-07-01'), /no longer current: see <a/)
  })

  for (const href of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//elsewhere.example',
    'http://a.test',
    '/\\a.test',
    'mailto:a"b@c',
  ])
    test(`a link to ${href} is not valid, and not shown as a link (W3)`, () => {
      const text = { type: 'doc', content: [paragraph(run('here', link(href)))] }
      assert.equal(RichText.safeParse(text).success, false)
      const unchecked: RichText = {
        type: 'doc',
        content: [
          {
            type: 'paragraph',
            content: [{ type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href } }] }],
          },
        ],
      }
      assert.equal(show(unchecked), '<p>here</p>')
    })

  test('has no node that could hold markup, and lists no deeper than two', () => {
    const nested = (levels: number): object => ({
      type: 'bullet_list',
      content: [{ type: 'list_item', content: [levels > 1 ? nested(levels - 1) : paragraph(run('x'))] }],
    })
    for (const node of [
      { type: 'html', html: '<b>' },
      { type: 'heading', attrs: { level: 1 }, content: [run('x')] },
      { type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'style', attrs: {} }] }] },
      { type: 'paragraph', content: [{ ...run('x'), dangerouslySetInnerHTML: { __html: '<b>' } }] },
      nested(3),
    ])
      assert.equal(RichText.safeParse({ type: 'doc', content: [node] }).success, false, JSON.stringify(node))
    assert.ok(RichText.safeParse({ type: 'doc', content: [nested(2)] }).success)
  })

  test('a fact reads on within a sentence, and begins with a capital after a colon (found V12)', () => {
    const show = (before: string, value: string) =>
      renderToStaticMarkup(
        createElement(RichTextView, {
          text: read(paragraph(run(before), factNode(), run('.'))),
          context: {
            facts: new Map([[fact.name, { ...fact, value, unit: '' }]]),
            today: '2026-12-01',
            texts: textsFor('en'),
          },
        }),
      )
    assert.equal(show('You need ', 'At least three years'), '<p>You need at least three years.</p>')
    assert.equal(show('Work: ', 'At least three years'), '<p>Work: At least three years.</p>')
    assert.match(show('The threshold is ', 'AUD 79,499'), /threshold is .*AUD.79,499/)
    assert.match(show('The list has ', '456'), /has .*456/)
  })

  test('whatever is written stays text', () => {
    const hostile = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('<script>', '"><img src=x onerror=y>', '</p>', '&lt;'),
    )
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1 }), texts => {
        const html = show(read(...texts.map(text => paragraph(run(text, { type: 'em' })))))
        const tags = html.match(/<[^>]*>/g) ?? []
        assert.ok(
          tags.every(tag => ['<p>', '</p>', '<em>', '</em>'].includes(tag)),
          html,
        )
      }),
    )
  })
})
