import { MoveButton } from './move-button.tsx'
import type { GridEdits } from './use-grid-edits.ts'

interface GridButtonsProps {
  readonly edits: GridEdits
  readonly rows: number
  readonly columns: number
  /** Whether there is room for no more of them. */
  readonly isFull: { readonly rows: boolean; readonly columns: boolean }
  /** Asks for the fact that the cell is to have. */
  readonly onFact: () => void
}

/** Adds, moves and removes the row and the column of the cell that had the focus last. */
export function GridButtons({ edits, rows, columns, isFull, onFact }: GridButtonsProps) {
  const { row, column } = edits.place
  const isHeading = row < 0
  return (
    <>
      <div className="content-editor-grid-buttons">
        {!isHeading && (
          <button type="button" className="button button-quiet" onClick={onFact}>
            Fact
          </button>
        )}
        <fieldset>
          <legend>{isHeading ? 'Rows' : `Row ${row + 1}`}</legend>
          <MoveButton label="Add a row below" icon="+" isIdle={isFull.rows} onClick={edits.addRow} />
          <MoveButton label="Move the row up" icon="↑" isIdle={row <= 0} onClick={() => edits.moveRow(-1)} />
          <MoveButton
            label="Move the row down"
            icon="↓"
            isIdle={isHeading || row >= rows - 1}
            onClick={() => edits.moveRow(1)}
          />
          <MoveButton
            label="Remove the row"
            icon="×"
            isIdle={isHeading || rows === 1}
            onClick={edits.removeRow}
          />
        </fieldset>
        <fieldset>
          <legend>Column {column + 1}</legend>
          <MoveButton
            label="Add a column after it"
            icon="+"
            isIdle={isFull.columns}
            onClick={edits.addColumn}
          />
          <MoveButton
            label="Move the column left"
            icon="←"
            isIdle={column === 0}
            onClick={() => edits.moveColumn(-1)}
          />
          <MoveButton
            label="Move the column right"
            icon="→"
            isIdle={column >= columns - 1}
            onClick={() => edits.moveColumn(1)}
          />
          <MoveButton
            label="Remove the column"
            icon="×"
            isIdle={columns === 1}
            onClick={edits.removeColumn}
          />
        </fieldset>
      </div>
      <p className="content-editor-done" role="status">
        {edits.done?.text}
        {edits.done && (
          <button type="button" className="button button-link" onClick={edits.done.undo}>
            Undo
          </button>
        )}
      </p>
    </>
  )
}
