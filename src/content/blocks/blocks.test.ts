import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { allBlocks, button, callout, form, table } from '../../../tests/support/blocks.ts'
import { pageBody } from '../../../tests/support/content.ts'
import { findErrors, findFactNames, findPictureIds, findShapeErrors } from '../bodies.ts'
import { MAX_COLUMNS, MAX_ROWS } from './blocks.ts'

const bodyOf = (...blocks: readonly object[]) => ({ ...pageBody('/fees'), blocks })
const errorsOf = (...blocks: readonly object[]) => Object.keys(findErrors('page', bodyOf(...blocks)))
const many = (count: number, make: (id: string) => object) =>
  Array.from({ length: count }, (_, at) => make(`item-${at}`))
const column = (id: string) => ({ id, label: 'Price' })
const row = (id: string) => ({ id, cells: {} })

suite('Blocks of a page', () => {
  test('a page may have every kind of block', () => {
    assert.deepEqual(findErrors('page', bodyOf(...allBlocks)), {})
  })

  test('a table has at most twelve columns and a hundred rows of short texts', () => {
    const { grid } = table
    const withGrid = (change: object) => ({ ...table, grid: { ...grid, ...change } })
    assert.deepEqual(errorsOf(withGrid({ columns: many(MAX_COLUMNS, column) })), [])
    assert.deepEqual(errorsOf(withGrid({ rows: many(MAX_ROWS, row) })), [])
    for (const [list, items] of [
      ['columns', many(MAX_COLUMNS + 1, column)],
      ['rows', many(MAX_ROWS + 1, row)],
      ['columns', []],
      ['rows', []],
    ] as const)
      assert.deepEqual(errorsOf(withGrid({ [list]: items })), [`blocks.0.grid.${list}`])
    for (const text of ['a'.repeat(201), 'two\nlines'])
      assert.deepEqual(errorsOf(withGrid({ rows: [{ id: 'first', cells: { price: text } }] })), [
        'blocks.0.grid.rows.0.cells.price',
      ])
  })

  test('the text of a cell is never taken for a picture or a fact, whatever the id of its column is', () => {
    const cells = { picture: 'A photograph', fact: 'pass-mark' }
    const body = bodyOf({ ...table, grid: { ...table.grid, rows: [{ id: 'a', cells }] } })
    assert.deepEqual([...findPictureIds(body), ...findFactNames(body)], [])
  })

  test('a button leads to a page of this site or to an https address', () => {
    for (const address of ['/fees', 'https://immi.homeaffairs.gov.au/'])
      assert.deepEqual(errorsOf({ ...button, address }), [])
    for (const address of ['javascript:alert(1)', '//example.com', 'http://example.com', ''])
      assert.deepEqual(errorsOf({ ...button, address }), ['blocks.0.address'])
  })

  test('a page has one form at most', () => {
    assert.deepEqual(errorsOf(form, callout, { ...form, id: 'form-2' }), ['blocks'])
  })

  test('a draft may have a table without headings, and not one of another shape', () => {
    const blank = { ...table, caption: '', grid: { columns: [{ id: 'a', label: '' }], rows: [] } }
    assert.deepEqual(findShapeErrors('page', bodyOf(blank)), {})
    for (const grid of [null, { columns: [] }, { columns: [], rows: [{ id: 'a', cells: ['text'] }] }])
      assert.notDeepEqual(findShapeErrors('page', bodyOf({ ...table, grid })), {})
  })
})
