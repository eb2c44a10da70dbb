import type { Grid } from '../../content/blocks.ts'
import { idOf, isList, isObject } from './json.ts'

/** Of a new table. Ids are unique within one list. */
export const emptyGrid: Grid = {
  columns: [
    { id: 'column-1', label: '' },
    { id: 'column-2', label: '' },
  ],
  rows: [
    { id: 'row-1', cells: {} },
    { id: 'row-2', cells: {} },
  ],
}

/** A grid of a draft, which has the right shape. */
export function readGrid(value: unknown): Grid {
  const { columns, rows } = isObject(value) ? value : {}
  return {
    columns: itemsOf(columns).map(({ id, item }) => ({ id, label: textOf(item.label) })),
    rows: itemsOf(rows).map(({ id, item }) => ({ id, cells: readCells(item.cells) })),
  }
}

function itemsOf(list: unknown) {
  if (!isList(list)) return []
  return list.flatMap(item => {
    const id = idOf(item)
    return id !== null && isObject(item) ? [{ id, item }] : []
  })
}

function readCells(cells: unknown): Record<string, string> {
  const entries = isObject(cells) ? Object.entries(cells) : []
  return Object.fromEntries(entries.map(([id, text]) => [id, textOf(text)]))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
