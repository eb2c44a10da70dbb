import * as z from 'zod/mini'
import { CONTROL_CHARACTERS } from '../../http/common-schemas.ts'
import { ItemId, item, listOf } from '../body-fields.ts'
import { Text } from '../schema.ts'
import { MAX_COLUMNS, MAX_ROWS } from './cells.ts'

/** A table of short texts. Its first column names the rows. */

/** Characters. What is longer is a paragraph, which makes the whole row hard to follow. */
const MAX_CELL = 200

const Cell = z.string().check(
  z.maxLength(MAX_CELL, `Write at most ${MAX_CELL} characters in a cell`),
  z.refine(text => !CONTROL_CHARACTERS.test(text), 'Write this on one line'),
)

/** By the id of the column, so that columns move, and two people change one row, without a conflict. None is an empty one. */
const Row = item({ cells: z.record(ItemId, Cell) })

const Grid = z.strictObject({
  columns: listOf(item({ label: Text })).check(
    z.minLength(1, 'Add a column'),
    z.maxLength(MAX_COLUMNS, `A table has at most ${MAX_COLUMNS} columns`),
  ),
  rows: listOf(Row).check(
    z.minLength(1, 'Add a row'),
    z.maxLength(MAX_ROWS, `A table has at most ${MAX_ROWS} rows`),
  ),
})
export type Grid = z.output<typeof Grid>

export const TableBlock = item({
  type: z.literal('table'),
  caption: Text,
  grid: Grid,
})
export type TableBlock = z.output<typeof TableBlock>
