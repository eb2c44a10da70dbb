import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { RichText } from '../../content/rich-text.ts'
import { RichText as RichTextSchema } from '../../content/rich-text.ts'
import { simplify, toNotation } from './notation.ts'
import { parseNotation } from './notation-parse.ts'

/** Characters that mean something in the notation, among others that do not. */
const anyText = fc.string({
  unit: fc.constantFrom(...'ab*[]()\\#-1.{} é😀', 'fact:', '\n', '## ', '- '),
  minLength: 1,
  maxLength: 12,
})
const oneLine = anyText.map(text => text.replaceAll('\n', ' '))
const marks = fc.subarray([
  { type: 'strong' as const },
  { type: 'em' as const },
  { type: 'link' as const, attrs: { href: '/fees_(2026)' } },
])
const inlineOf = (texts: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: texts, marks }),
    fc.record({ type: fc.constant('fact' as const), attrs: fc.constant({ name: 'pay' }), marks }),
  )
const blocksOf = (texts: fc.Arbitrary<string>) => {
  const content = fc.array(inlineOf(texts), { maxLength: 4 })
  const paragraph = fc.record({ type: fc.constant('paragraph' as const), content })
  const heading = fc.record({
    type: fc.constant('heading' as const),
    attrs: fc.constantFrom({ level: 2 as const }, { level: 3 as const }),
    content,
  })
  const some = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 3 })
  const listType = fc.constantFrom('bullet_list' as const, 'ordered_list' as const)
  const itemOf = <Part>(part: fc.Arbitrary<Part>) =>
    fc.record({ type: fc.constant('list_item' as const), content: some(part) })
  const inner = fc.record({ type: listType, content: some(itemOf(paragraph)) })
  const list = fc.record({ type: listType, content: some(itemOf(fc.oneof(paragraph, inner))) })
  return fc.array(fc.oneof(paragraph, heading, list), { maxLength: 4 })
}
const docOf = (texts: fc.Arbitrary<string>): fc.Arbitrary<RichText> =>
  blocksOf(texts).map(content => ({ type: 'doc', content }))

suite('The notation of rich text', () => {
  test('every node of rich text has its line in the notation', () => {
    const text = [
      ['## Fees', 'We charge **before *we* start**, see [the list](/fees) and {fact:pay}.'],
      ['- first\n  1. within\n  2. again\n  and more\n- second', '1. one\n2. two', '### End', '\\- no list'],
    ]
      .flat()
      .join('\n\n')
    const doc = parseNotation(text)
    assert.ok(RichTextSchema.safeParse(doc).success)
    assert.deepEqual(
      doc.content.map(({ type }) => type),
      ['heading', 'paragraph', 'bullet_list', 'ordered_list', 'heading', 'paragraph'],
    )
    assert.equal(toNotation(doc), text)
  })

  test('rich text that is written as text and read again has lost nothing', () => {
    let written = 0
    fc.assert(
      fc.property(docOf(fc.oneof(oneLine, anyText)), doc => {
        const text = toNotation(doc)
        if (text === null) return
        written++
        const isEmpty = doc.content.length === 0
        assert.deepEqual(simplify(parseNotation(text)), isEmpty ? simplify(parseNotation('')) : simplify(doc))
      }),
      { numRuns: 2000 },
    )
    assert.ok(written > 500, `${written} of 2000 could be written`)
  })

  test('rich text without line breaks in a text and without neighbouring lists can always be edited', () => {
    fc.assert(
      fc.property(docOf(oneLine), doc => {
        const isPlain = !doc.content.some(block => block.type.endsWith('_list'))
        if (isPlain) assert.notEqual(toNotation(doc), null)
      }),
      { numRuns: 2000 },
    )
  })

  test('rich text that the notation cannot say is not editable, rather than changed', () => {
    const broken = { type: 'text' as const, text: 'one\ntwo' }
    assert.equal(toNotation({ type: 'doc', content: [{ type: 'paragraph', content: [broken] }] }), null)
  })

  test('any text that is typed is rich text, and its text is read as the same again', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string()), text => {
        const doc = parseNotation(text)
        const again = toNotation(doc)
        if (again !== null) assert.deepEqual(simplify(parseNotation(again)), simplify(doc))
        else assert.ok(/[\r]/.test(text) || text.includes('\n'), JSON.stringify(text))
      }),
      { numRuns: 5000 },
    )
  })

  test('a marker without its other half is text', () => {
    for (const text of ['5 * 3', 'two ** stars', 'a [bracket', 'a bracket](x)', '[](x)'])
      assert.deepEqual(parseNotation(text).content, [
        { type: 'paragraph', content: [{ type: 'text', text }] },
      ])
  })
})
