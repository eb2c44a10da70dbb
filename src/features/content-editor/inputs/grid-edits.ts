import { useState } from 'react'
import { cellOf, factInCell, type Grid, MAX_COLUMNS, MAX_ROWS } from '../../../content/blocks/blocks.ts'
import { useUndo } from './undo.tsx'

/** The changes of a table: pure, each from one grid to the next. */

type Column = Grid['columns'][number]
type Row = Grid['rows'][number]

/** A cell by its place: row -1 is the headings. */
export interface Place {
  readonly row: number
  readonly column: number
}

export function textAt({ columns, rows }: Grid, { row, column }: Place): string {
  const heading = columns[column]
  if (row < 0 || !heading) return heading?.label ?? ''
  return cellOf(rows[row]?.cells ?? {}, heading.id)
}

export function withText(grid: Grid, { row, column }: Place, text: string): Grid {
  const heading = grid.columns[column]
  if (!heading) return grid
  if (row < 0) return { ...grid, columns: grid.columns.with(column, { ...heading, label: text }) }
  const line = grid.rows[row]
  if (!line) return grid
  return { ...grid, rows: grid.rows.with(row, { ...line, cells: { ...line.cells, [heading.id]: text } }) }
}

export function insertRow(grid: Grid, at: number, row: Row): Grid {
  return grid.rows.length < MAX_ROWS ? { ...grid, rows: grid.rows.toSpliced(at, 0, row) } : grid
}

export function insertColumn(grid: Grid, at: number, column: Column, cells: ReadonlyMap<string, string>) {
  if (grid.columns.length >= MAX_COLUMNS) return grid
  const rows = grid.rows.map(row => {
    const text = cells.get(row.id)
    return text === undefined ? row : { ...row, cells: { ...row.cells, [column.id]: text } }
  })
  return { columns: grid.columns.toSpliced(at, 0, column), rows }
}

export function removeRow(grid: Grid, id: string): Grid {
  return { ...grid, rows: grid.rows.filter(row => row.id !== id) }
}

/** Also drops texts that nobody sees, because their column is gone. */
export function removeColumn(grid: Grid, id: string): Grid {
  const columns = grid.columns.filter(column => column.id !== id)
  const known = new Set(columns.map(column => column.id))
  const keep = (cells: Row['cells']) =>
    Object.fromEntries(Object.entries(cells).filter(([column]) => known.has(column)))
  return { columns, rows: grid.rows.map(row => ({ ...row, cells: keep(row.cells) })) }
}

/** What a column has in each row, to bring it back. */
export function cellsOf(grid: Grid, id: string): ReadonlyMap<string, string> {
  return new Map(grid.rows.map(row => [row.id, cellOf(row.cells, id)]))
}

export function moveRow(grid: Grid, id: string, to: number): Grid {
  return { ...grid, rows: moved(grid.rows, id, to) }
}

export function moveColumn(grid: Grid, id: string, to: number): Grid {
  return { ...grid, columns: moved(grid.columns, id, to) }
}

function moved<Item extends { readonly id: string }>(items: readonly Item[], id: string, to: number): Item[] {
  const item = items.find(each => each.id === id)
  if (!item || to < 0 || to >= items.length) return [...items]
  return items.filter(each => each !== item).toSpliced(to, 0, item)
}

/** The cells of a spreadsheet, as it copies them; null for text that is one cell. */
export function readCells(pasted: string): readonly (readonly string[])[] | null {
  const lines = joinQuoted(pasted.replaceAll('\r\n', '\n')).replace(/\n$/, '').split('\n')
  if (lines.length === 1 && !pasted.includes('\t')) return null
  return lines.map(line => line.split('\t').map(cell => cell.replaceAll(/\s+/g, ' ').trim()))
}

/** A spreadsheet puts quotes around a cell of several lines, and doubles those in it. Other quotes are text. */
function joinQuoted(cells: string): string {
  return cells.replaceAll(/(?<=^|[\t\n])"((?:[^"]|"")*)"(?=[\t\n]|$)/g, (quoted, cell: string) =>
    /[\t\n]/.test(cell) ? cell.replaceAll('""', '"').replaceAll(/\s+/g, ' ') : quoted,
  )
}

/** Fills the cells from a place on, with new rows and columns as long as the table may grow. */
export function paste(grid: Grid, at: Place, cells: readonly (readonly string[])[], newId: () => string) {
  const width = Math.max(...cells.map(line => line.length))
  return cells.reduce(
    (filled, line, down) =>
      line.reduce(
        (next, text, right) => withText(next, { row: at.row + down, column: at.column + right }, text),
        filled,
      ),
    grown(grid, at.column + width, at.row + cells.length, newId),
  )
}

function grown(grid: Grid, columns: number, rows: number, newId: () => string): Grid {
  let next = grid
  while (next.columns.length < Math.min(columns, MAX_COLUMNS))
    next = insertColumn(next, next.columns.length, { id: newId(), label: '' }, new Map())
  while (next.rows.length < Math.min(rows, MAX_ROWS))
    next = insertRow(next, next.rows.length, { id: newId(), cells: {} })
  return next
}

export function useGridEdits(grid: Grid, change: (grid: Grid) => void) {
  const { done, apply: applyUndoable } = useUndo(grid, change)
  /** The cell that had the focus last: the buttons change its row and its column. */
  const [place, setPlace] = useState<Place>({ row: 0, column: 0 })
  const [focusOn, setFocusOn] = useState<string | null>(null)

  /** @param takesFocus whether the cell gets it, and not the button that was pressed */
  function apply(next: Grid, text: string, undo: (now: Grid) => Grid, to: Place, takesFocus = false) {
    applyUndoable(next, text, undo, () => {
      setPlace(place)
      setFocusOn(keyOf(place))
    })
    setPlace(to)
    setFocusOn(takesFocus ? keyOf(to) : null)
  }

  const [row, column] = [grid.rows[place.row], grid.columns[place.column]]

  return {
    done,
    place,
    setPlace,
    focusOn,
    addRow() {
      const added = { id: crypto.randomUUID(), cells: {} }
      const at = Math.max(0, place.row + 1)
      const to = { row: at, column: 0 }
      apply(insertRow(grid, at, added), `Added row ${at + 1}.`, now => removeRow(now, added.id), to, true)
    },
    addColumn() {
      const added = { id: crypto.randomUUID(), label: '' }
      const at = place.column + 1
      const to = { row: -1, column: at }
      const next = insertColumn(grid, at, added, new Map())
      apply(next, `Added column ${at + 1}.`, now => removeColumn(now, added.id), to, true)
    },
    removeRow() {
      if (!row) return
      const to = { ...place, row: Math.min(place.row, grid.rows.length - 2) }
      const undo = (now: Grid) => insertRow(now, place.row, row)
      apply(removeRow(grid, row.id), `Removed row ${place.row + 1}.`, undo, to)
    },
    removeColumn() {
      if (!column) return
      const cells = cellsOf(grid, column.id)
      const to = { ...place, column: Math.max(0, Math.min(place.column, grid.columns.length - 2)) }
      const undo = (now: Grid) => insertColumn(now, place.column, column, cells)
      apply(removeColumn(grid, column.id), `Removed column ${place.column + 1}.`, undo, to)
    },
    moveRow(step: number, takesFocus = false) {
      const to = place.row + step
      if (!row || to < 0 || to >= grid.rows.length) return
      const undo = (now: Grid) => moveRow(now, row.id, place.row)
      const text = `Moved to row ${to + 1} of ${grid.rows.length}.`
      apply(moveRow(grid, row.id, to), text, undo, { ...place, row: to }, takesFocus)
    },
    moveColumn(step: number) {
      const to = place.column + step
      if (!column || to < 0 || to >= grid.columns.length) return
      const undo = (now: Grid) => moveColumn(now, column.id, place.column)
      const text = `Moved to column ${to + 1} of ${grid.columns.length}.`
      apply(moveColumn(grid, column.id, to), text, undo, { ...place, column: to })
    },
    /** Puts a fact into the cell, in place of what is selected in it. */
    putFact(name: string, start: number, end: number) {
      const before = textAt(grid, place)
      const text = before.slice(0, start) + factInCell(name) + before.slice(end)
      const undo = (now: Grid) => withText(now, place, before)
      apply(withText(grid, place, text), `Put the fact into row ${place.row + 1}.`, undo, place, true)
    },
    paste(at: Place, cells: readonly (readonly string[])[]) {
      const before = grid
      const count = cells.reduce((sum, line) => sum + line.length, 0)
      const next = paste(grid, at, cells, () => crypto.randomUUID())
      apply(next, `Pasted ${count} cells.`, () => before, at, true)
    },
  }
}

export type GridEdits = ReturnType<typeof useGridEdits>

/** Names the control of a cell. */
export const keyOf = ({ row, column }: Place) => `${row}/${column}`
