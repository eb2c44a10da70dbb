import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { table } from '../../../../tests/support/blocks.ts'
import { type Grid, MAX_COLUMNS, MAX_ROWS } from '../../../content/blocks/blocks.ts'
import { readGrid } from '../forms/fields.ts'
import {
  cellsOf,
  insertColumn,
  moveColumn,
  moveRow,
  paste,
  readCells,
  removeColumn,
  textAt,
  withText,
} from './grid-edits.ts'

const grid = readGrid(table.grid)
/** As it is shown, headings first. */
const shown = ({ columns, rows }: Grid) =>
  [-1, ...rows.keys()].map(row =>
    columns.map((_, column) => textAt({ columns, rows }, { row, column })).join('|'),
  )
const newIds = () => {
  let count = 0
  return () => `new-${++count}`
}

suite('The cells of a table', () => {
  test('a text goes into a heading or a cell, and into nothing else', () => {
    const changed = withText(withText(grid, { row: -1, column: 1 }, 'Fee'), { row: 1, column: 1 }, 'AUD 000')
    assert.deepEqual(shown(changed), ['Work|Fee', 'First question|Nothing', 'Opinion|AUD 000'])
    assert.deepEqual(withText(grid, { row: 9, column: 0 }, 'lost'), grid)
  })

  test('a column that is removed and brought back has its cells again', () => {
    const [, price] = grid.columns
    assert.ok(price)
    const removed = removeColumn(grid, price.id)
    assert.deepEqual(shown(removed), ['Work', 'First question', 'Opinion'])
    assert.doesNotMatch(JSON.stringify(removed), /Nothing/)
    assert.deepEqual(shown(insertColumn(removed, 1, price, cellsOf(grid, price.id))), shown(grid))
  })

  test('rows and columns move with their cells, and not over the edge', () => {
    assert.deepEqual(shown(moveRow(grid, 'second', 0)), ['Work|Price', 'Opinion|', 'First question|Nothing'])
    assert.deepEqual(shown(moveColumn(grid, 'price', 0)), [
      'Price|Work',
      'Nothing|First question',
      '|Opinion',
    ])
    assert.deepEqual(moveRow(grid, 'second', 2), grid)
  })

  test('what a spreadsheet copies is cells, and a sentence is not', () => {
    assert.deepEqual(readCells('Work\tPrice\r\nAn  opinion \t\r\n'), [
      ['Work', 'Price'],
      ['An opinion', ''],
    ])
    assert.equal(readCells('An opinion'), null)
  })

  test('a spreadsheet cell of two lines stays one cell, and quotes that somebody wrote stay', () => {
    assert.deepEqual(readCells('Opinion\t"Say ""yes"",\nin writing"\r\n"Form"\t5" wide\r\n'), [
      ['Opinion', 'Say "yes", in writing'],
      ['"Form"', '5" wide'],
    ])
  })

  test('pasted cells fill the table from a cell on, and it grows up to its limits', () => {
    const cells = [
      ['a', 'b'],
      ['c', 'd'],
    ]
    assert.deepEqual(shown(paste(grid, { row: 1, column: 1 }, cells, newIds())), [
      'Work|Price|',
      'First question|Nothing|',
      'Opinion|a|b',
      '|c|d',
    ])
    const huge = Array.from({ length: MAX_ROWS + 5 }, () =>
      Array.from({ length: MAX_COLUMNS + 5 }, () => 'x'),
    )
    const full = paste(grid, { row: 0, column: 0 }, huge, newIds())
    assert.deepEqual([full.rows.length, full.columns.length], [MAX_ROWS, MAX_COLUMNS])
    assert.equal(new Set(full.columns.map(({ id }) => id)).size, MAX_COLUMNS)
  })
})
