import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from '../../../../tests/support/properties.ts'
import { RichText } from '../../../content/rich-text.ts'
import { readDoc, writeDoc } from './schema.ts'

/** Nodes in any order and depth, of which some are a text that may be stored. */
const marks = fc.subarray([
  { type: 'strong' },
  { type: 'em' },
  { type: 'link', attrs: { href: '/fees' } },
  { type: 'link', attrs: { href: '/contact' } },
])
const inline = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string({ minLength: 1, maxLength: 5 }), marks }),
  fc.record({ type: fc.constant('fact'), attrs: fc.constant({ name: 'pay' }), marks }),
)
const { node } = fc.letrec(tie => ({
  node: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    fc.record({ type: fc.constant('paragraph'), content: fc.array(inline, { maxLength: 3 }) }),
    fc.record({
      type: fc.constant('heading'),
      attrs: fc.record({ level: fc.constantFrom(2, 2, 3, 3, 1) }),
      content: fc.array(inline, { maxLength: 3 }),
    }),
    fc.record({
      type: fc.constantFrom('bullet_list', 'ordered_list'),
      content: fc.array(fc.oneof({ weight: 9, arbitrary: tie('item') }, tie('node')), { maxLength: 3 }),
    }),
  ),
  item: fc.record({
    type: fc.constantFrom('list_item', 'list_item', 'list_item', 'paragraph'),
    content: fc.array(tie('node'), { maxLength: 3 }),
  }),
}))
const doc = fc.record({ type: fc.constant('doc'), content: fc.array(node, { minLength: 1, maxLength: 3 }) })

suite('The schema of the editor of rich text', () => {
  test('the editor opens exactly the texts that the server accepts, and gives them back as they were', () => {
    const seen = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(doc, stored => {
        const isAccepted = RichText.safeParse(stored).success
        const opened = readDoc(stored)
        assert.equal(opened !== null, isAccepted, JSON.stringify(stored))
        seen[isAccepted ? 'accepted' : 'refused']++
        if (!opened) return
        const written = writeDoc(opened)
        assert.ok(RichText.safeParse(written).success)
        assert.deepEqual(canonical(written), canonical(stored))
      }),
      { numRuns: 3000 },
    )
    assert.ok(seen.accepted > 300 && seen.refused > 300, JSON.stringify(seen))
  })

  test('the editor gives an empty text a paragraph to type in', () => {
    assert.deepEqual(writeDoc(readDoc({ type: 'doc', content: [] }) ?? assert.fail()), {
      type: 'doc',
      content: [{ type: 'paragraph' }],
    })
  })

  test('the editor opens a draft whose link leads nowhere, so that it can be corrected', () => {
    const link = { type: 'link', attrs: { href: 'htps:/x' } }
    const stored = paragraphOf([{ type: 'text', text: 'Fees', marks: [link] }])
    assert.deepEqual(JSON.parse(JSON.stringify(readDoc(stored))), stored)
  })
})

const paragraphOf = (content: readonly object[]) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content }],
})

/** Each character and fact with its marks: how runs are cut and marks are ordered means nothing. */
function canonical(part: unknown): unknown {
  if (Array.isArray(part)) return part.flatMap(canonicalChild)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) =>
      Array.isArray(value) && value.length === 0
        ? []
        : [[key, key === 'marks' ? sorted(value) : canonical(value)]],
    ),
  )
}

function canonicalChild(child: unknown): unknown[] {
  const { type, text, marks = [] } = Object(child)
  if (type !== 'text') return [canonical(child)]
  return text.split('').map((character: string) => [character, ...sorted(marks)])
}

const sorted = (list: readonly unknown[]) => list.map(each => JSON.stringify(each)).sort()
