import {
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { factsInCell, type Grid, MAX_COLUMNS, MAX_ROWS } from '../../../content/blocks/blocks.ts'
import { describeValue } from '../../../content/facts.ts'
import { joinPath } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import type { ListedFact } from '../facts/contract.ts'
import { type PlainField, readGrid } from '../forms/fields.ts'
import { useDocumentForm } from '../forms/form-context.ts'
import { FactPicker } from '../rich-text/editor-dialog.tsx'
import { ConflictAt, type FieldProps, useNotes } from './field-frame.tsx'
import { type GridEdits, keyOf, type Place, readCells, textAt, useGridEdits, withText } from './grid-edits.ts'
import { MoveButton, type MoveButtonProps } from './list-input.tsx'
import { DoneLine } from './undo.tsx'

/** The cells of a table. Arrow keys and Tab go from cell to cell, and Alt with an arrow moves the row. */
export function GridInput({ field, path, value }: FieldProps<PlainField>) {
  const { mayEdit, change, facts } = useDocumentForm()
  const [isChoosing, setChoosing] = useState(false)
  const grid = readGrid(value)
  const edits = useGridEdits(grid, next => change(path, next))
  const table = useRef<HTMLTableElement>(null)
  const { focusOn } = edits
  const { rows, columns } = grid

  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that moves takes the focus along each time
  useEffect(() => {
    if (focusOn) focusCell(table.current, focusOn)
  }, [focusOn, edits.done])

  function handleKey(event: KeyboardEvent<HTMLInputElement>, at: Place) {
    const { shiftKey, ctrlKey, metaKey, nativeEvent } = event
    // They select text, or choose a word of another script.
    if (shiftKey || ctrlKey || metaKey || nativeEvent.isComposing) return
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (event.altKey && step && mayEdit) edits.moveRow(step, true)
    else if (event.altKey || !focusCell(table.current, keyOf(nextPlace(event, at)))) return
    event.preventDefault()
    // Around it, Alt with an arrow moves the block.
    event.stopPropagation()
  }

  function handlePaste(event: ClipboardEvent<HTMLInputElement>, at: Place) {
    const cells = readCells(event.clipboardData.getData('text/plain'))
    if (!cells || !mayEdit) return
    event.preventDefault()
    edits.paste(at, cells)
  }

  const cell = (at: Place) => ({
    at,
    grid,
    path,
    onChange: (text: string) => change(path, withText(grid, at, text)),
    onFocus: () => edits.setPlace(at),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => handleKey(event, at),
    onPaste: (event: ClipboardEvent<HTMLInputElement>) => handlePaste(event, at),
  })
  return (
    <fieldset className="content-editor-grid" data-field={path}>
      <legend>{field.label}</legend>
      <p className="field-hint">{field.hint}</p>
      <div className="content-editor-grid-scroll">
        <table ref={table}>
          <thead>
            <tr>
              {columns.map(({ id }, column) => (
                <th key={id}>
                  <Cell {...cell({ row: -1, column })} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id }, row) => (
              <tr key={id}>
                {columns.map((each, column) => (
                  <td key={each.id}>
                    <Cell {...cell({ row, column })} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isChoosing && (
        <FactPicker
          facts={facts}
          chosen={null}
          onChoose={name => {
            const { selectionStart, selectionEnd } = findCell(table.current, keyOf(edits.place)) ?? {}
            const end = textAt(grid, edits.place).length
            edits.putFact(name, selectionStart ?? end, selectionEnd ?? end)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
      {mayEdit && <GridButtons edits={edits} grid={grid} onFact={() => setChoosing(true)} />}
      <GridConflicts grid={grid} path={path} />
    </fieldset>
  )
}

interface CellProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly at: Place
  readonly grid: Grid
  readonly path: string
  readonly onChange: (text: string) => void
}

function Cell({ at, grid, path, onChange, ...handlers }: CellProps) {
  const { mayEdit, facts } = useDocumentForm()
  const id = useId()
  const cellPath = joinPath(path, pathOf(grid, at))
  const named = at.row < 0 ? [] : factsInCell(textAt(grid, at))
  const { control, notes } = useNotes(cellPath, id, named.length > 0 ? `${id}facts` : '')
  return (
    <>
      <input
        className="control"
        aria-label={labelOf(grid, at)}
        data-field={cellPath}
        data-cell={keyOf(at)}
        autoComplete="off"
        readOnly={!mayEdit}
        value={textAt(grid, at)}
        onChange={event => onChange(event.target.value)}
        {...control}
        {...handlers}
      />
      {named.length > 0 && (
        <p className="field-hint" id={`${id}facts`}>
          {named.map(name => `{${name}}: ${shownFact(facts, name)}`).join('; ')}
        </p>
      )}
      {notes}
    </>
  )
}

function GridConflicts({ grid, path }: { grid: Grid; path: string }) {
  const { conflicts } = useDocumentForm()
  if (conflicts.length === 0) return null
  const { rows, columns } = grid
  const places = [-1, ...rows.keys()].flatMap(row => [...columns.keys()].map(column => ({ row, column })))
  const paths = [
    path,
    ...rows.keys().map(row => joinPath(path, `rows.${row}`)),
    ...columns.keys().map(column => joinPath(path, `columns.${column}`)),
    ...places.map(at => joinPath(path, pathOf(grid, at))),
  ]
  return paths.map(each => <ConflictAt key={each} path={each} />)
}

function pathOf({ columns }: Grid, { row, column }: Place): string {
  return row < 0 ? `columns.${column}.label` : `rows.${row}.cells.${columns[column]?.id}`
}

/** As a screen reader says it: the heading, or the row and the heading. */
function labelOf(grid: Grid, { row, column }: Place): string {
  const heading = textAt(grid, { row: -1, column }) || `column ${column + 1}`
  return row < 0 ? `Heading of column ${column + 1}` : `Row ${row + 1}, ${heading}`
}

/** Within the text an arrow moves the caret; at its end it leaves the cell. */
function nextPlace({ key, currentTarget }: KeyboardEvent<HTMLInputElement>, { row, column }: Place): Place {
  const { selectionStart, selectionEnd, value } = currentTarget
  if (key === 'ArrowUp') return { row: row - 1, column }
  if (key === 'ArrowDown' || key === 'Enter') return { row: row + 1, column }
  if (key === 'ArrowLeft' && selectionEnd === 0) return { row, column: column - 1 }
  if (key === 'ArrowRight' && selectionStart === value.length) return { row, column: column + 1 }
  return { row: NOWHERE, column }
}

const NOWHERE = -2

/** @returns whether there is such a cell */
function focusCell(table: HTMLTableElement | null, key: string): boolean {
  const cell = findCell(table, key)
  cell?.focus()
  return cell !== null
}

function findCell(table: HTMLTableElement | null, key: string): HTMLInputElement | null {
  return table?.querySelector<HTMLInputElement>(`[data-cell="${key}"]`) ?? null
}

function shownFact(facts: readonly ListedFact[], name: string): string {
  const found = facts.find(each => each.name === name)
  return found ? describeValue(found.fact) : 'there is no such fact'
}

interface GridButtonsProps {
  readonly edits: GridEdits
  readonly grid: Grid
  readonly onFact: () => void
}

/** Adds, moves and removes the row and the column of the cell that had the focus last. */
function GridButtons({ edits, grid, onFact }: GridButtonsProps) {
  const { row, column } = edits.place
  const isHeading = row < 0
  const [rows, columns] = [grid.rows.length, grid.columns.length]
  const isLast = { row: isHeading || row >= rows - 1, column: column >= columns - 1 }
  return (
    <>
      <div className="content-editor-grid-buttons">
        {!isHeading && (
          <Button kind="quiet" onClick={onFact}>
            Fact
          </Button>
        )}
        <MoveButtons
          legend={isHeading ? 'Rows' : `Row ${row + 1}`}
          buttons={[
            { label: 'Add a row below', icon: '+', isIdle: rows >= MAX_ROWS, onClick: edits.addRow },
            { label: 'Move the row up', icon: '↑', isIdle: row <= 0, onClick: () => edits.moveRow(-1) },
            { label: 'Move the row down', icon: '↓', isIdle: isLast.row, onClick: () => edits.moveRow(1) },
            { label: 'Remove the row', icon: '×', isIdle: isHeading || rows === 1, onClick: edits.removeRow },
          ]}
        />
        <MoveButtons
          legend={`Column ${column + 1}`}
          buttons={[
            {
              label: 'Add a column after it',
              icon: '+',
              isIdle: columns >= MAX_COLUMNS,
              onClick: edits.addColumn,
            },
            {
              label: 'Move the column left',
              icon: '←',
              isIdle: column === 0,
              onClick: () => edits.moveColumn(-1),
            },
            {
              label: 'Move the column right',
              icon: '→',
              isIdle: isLast.column,
              onClick: () => edits.moveColumn(1),
            },
            { label: 'Remove the column', icon: '×', isIdle: columns === 1, onClick: edits.removeColumn },
          ]}
        />
      </div>
      <DoneLine done={edits.done} />
    </>
  )
}

function MoveButtons({ legend, buttons }: { legend: string; buttons: readonly MoveButtonProps[] }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {buttons.map(button => (
        <MoveButton key={button.label} {...button} />
      ))}
    </fieldset>
  )
}
