import { useState } from 'react'
import { factInCell, type Grid } from '../../../content/blocks/blocks.ts'
import {
  cellsOf,
  insertColumn,
  insertRow,
  moveColumn,
  moveRow,
  type Place,
  paste,
  removeColumn,
  removeRow,
  textAt,
  withText,
} from './grid-edits.ts'
import { useUndo } from './undo.tsx'

export function useGridEdits(grid: Grid, change: (grid: Grid) => void) {
  const { done, apply: applyUndoable } = useUndo(grid, change)
  /** The cell that had the focus last: the buttons change its row and its column. */
  const [place, setPlace] = useState<Place>({ row: 0, column: 0 })
  /** What gets the focus once it is rendered. */
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
