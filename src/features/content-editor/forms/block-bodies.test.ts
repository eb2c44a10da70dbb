import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { allBlocks, callout, table } from '../../../../tests/support/blocks.ts'
import { mergeBodies } from '../editor/merge.ts'
import { diffBodies } from '../history/diff.ts'

const { grid } = table
const [first, second] = grid.rows
const body = { blocks: allBlocks }
const withGrid = (change: object) => ({ blocks: [{ ...table, grid: { ...grid, ...change } }, callout] })
const base = withGrid({})

suite('Changes of blocks', () => {
  test('the history names the cell, the row and the column that changed', () => {
    const cell = withGrid({ rows: [{ ...first, cells: { ...first?.cells, price: 'AUD 000' } }, second] })
    assert.deepEqual(
      diffBodies(base, cell).map(({ kind, path }) => [kind, path]),
      [['changed', 'blocks.0.grid.rows.0.cells.price']],
    )
    const moved = withGrid({
      rows: [second, first],
      columns: [...grid.columns, { id: 'when', label: 'When' }],
    })
    assert.deepEqual(
      diffBodies(base, moved).map(({ kind, path }) => [kind, path]),
      [
        ['added', 'blocks.0.grid.columns.2'],
        ['moved', 'blocks.0.grid.rows.1'],
      ],
    )
  })

  test('two people who change one row, move a column and add another one have no conflict', () => {
    const mine = withGrid({
      columns: grid.columns.toReversed(),
      rows: [{ ...first, cells: { ...first?.cells, work: 'A first question' } }, second],
    })
    const theirs = withGrid({
      columns: [...grid.columns, { id: 'when', label: 'When' }],
      rows: [{ ...first, cells: { ...first?.cells, when: 'Today' } }, second],
    })
    const { value, conflicts } = mergeBodies(base, mine, theirs)
    assert.deepEqual(conflicts, [])
    const merged = JSON.stringify(value)
    for (const text of ['A first question', '"when":"Today"', '"label":"When"'])
      assert.ok(merged.includes(text))
  })

  test('one who changes the kind of a callout and one who changes its text have no conflict', () => {
    const change = (more: object) => ({ blocks: [table, { ...callout, ...more }] })
    const mine = change({ tone: 'note' })
    const { value, conflicts } = mergeBodies(change({}), mine, change({ title: 'Bring this' }))
    assert.deepEqual([value, conflicts], [change({ tone: 'note', title: 'Bring this' }), []])
  })

  test('a body without changes has no differences', () => {
    assert.deepEqual(diffBodies(body, structuredClone(body)), [])
  })
})
