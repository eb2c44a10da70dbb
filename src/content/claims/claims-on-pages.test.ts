import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { blocking, doc, find, paragraph, run } from '../../../tests/support/claim-finder.ts'
import { claimsOnPages, harmlessOnPages, type PageText } from '../../../tests/support/page-sentences.ts'

const subclasses = new Map<string, 'open' | 'closed'>([
  ['188', 'closed'],
  ...['186', '189', '482', '491', '888'].map(number => [number, 'open'] as const),
])

/** A page with this text, or with a table that has this cell. */
function pageWith({ text, cell }: PageText) {
  if (!cell) return doc(paragraph(run(text)))
  const [row, column] = cell
  const columns = [
    { id: 'row', label: '' },
    { id: 'cell', label: column },
  ]
  return {
    blocks: [{ id: 't', type: 'table', grid: { columns, rows: [{ id: 'r', cells: { row, cell: text } }] } }],
  }
}

const findIn = (text: PageText) => blocking(find(pageWith(text), { subclasses }))

suite('The claim guard on the pages of an agency', () => {
  for (const claim of claimsOnPages)
    test(`it finds the words, and marks no others: ${claim.cell ? `${claim.cell.join(', ')}: ` : ''}${claim.text} (found E7)`, () => {
      const found = findIn(claim).find(({ path }) => !claim.cell || path.endsWith('.cell'))
      assert.ok(found, 'nothing was found')
      const { sentence, quote, at } = found
      assert.equal(quote, claim.quote)
      assert.equal(sentence.slice(at ?? 0, (at ?? 0) + quote.length), claim.quote)
      if (claim.cell) assert.ok((at ?? 0) >= sentence.length - claim.text.length, sentence)
    })

  test('of sixty harmless sentences it finds two at most (found E7)', () => {
    const found = harmlessOnPages.flatMap(text =>
      findIn(text).map(({ rule, sentence }) => `${rule}: ${sentence}`),
    )
    assert.deepEqual([claimsOnPages.length, harmlessOnPages.length], [60, 60])
    assert.ok(found.length <= 2, found.join('\n'))
  })
})
