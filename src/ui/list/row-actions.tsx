import { type MouseEvent, useRef, useState } from 'react'

/** What can be done with a row of a list. */
export interface RowAction {
  readonly label: string
  /** With what it is about, for people who hear one button at a time. */
  readonly name: string
  readonly kind?: 'quiet' | 'danger-quiet' | 'primary'
  /** Whether it is only in the menu. */
  readonly isRare?: boolean
  readonly onChoose: () => void
}

interface RowActionsProps {
  readonly about: string
  readonly actions: readonly RowAction[]
}

/**
 * The actions of a row: as buttons while the mouse or the keyboard is in the row, and always in a menu, which is how a finger
 * reaches them.
 */
export function RowActions({ about, actions }: RowActionsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="row-actions">
      {actions.map(action => !action.isRare && <ActionButton key={action.label} {...action} />)}
      <details className="menu row-menu" data-menu onToggle={event => setOpen(event.currentTarget.open)}>
        <summary className="button button-quiet" aria-label={`Actions: ${about}`} title="Actions">
          …
        </summary>
        {isOpen && (
          <div className="menu-panel">
            {actions.map(({ label, name, onChoose }) => (
              <button
                key={label}
                type="button"
                className="menu-item"
                aria-label={name}
                onClick={onFirstClick(onChoose)}
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </details>
    </div>
  )
}

function ActionButton({ label, name, kind = 'quiet', onChoose }: RowAction) {
  return (
    <button
      type="button"
      className={`button button-${kind} row-action`}
      aria-label={name}
      onClick={onFirstClick(onChoose)}
    >
      {label}
    </button>
  )
}

/** The second half of a double click was for what lay there before, such as the row that it has opened. */
const onFirstClick = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act()
}

/** Marks the element of a list row, so that `useRowFocus` finds it. */
export const rowAttribute = (id: string) => ({ 'data-row': id })

/**
 * Finds the element to focus when a dialog about a row closes: what opened it if that is in the row; else the row; if
 * the row was deleted, the one that took its place, else the last, else what the selector `otherwise` finds.
 * @param ids of all rows, in order @param id of the row that the dialog is about
 */
export function useRowFocus(ids: readonly string[], id: string | undefined, otherwise: string) {
  /** The ids when the dialog has closed, which may be one render later. */
  const latest = useRef(ids)
  latest.current = ids
  /** The last known index of the row. */
  const place = useRef(0)
  const at = id === undefined ? -1 : ids.indexOf(id)
  if (at >= 0) place.current = at

  return (opener: Element | null): HTMLElement | null => {
    const row = (id && findRow(id)) || findRow(latest.current[place.current] ?? latest.current.at(-1))
    // A dialog that was opened from another dialog returns the focus to it, while it is open.
    const isInPlace = opener?.isConnected && (row?.contains(opener) || opener.closest('dialog[open]'))
    if (isInPlace && opener instanceof HTMLElement) return opener
    return row?.querySelector<HTMLElement>('a, button') ?? document.querySelector<HTMLElement>(otherwise)
  }
}

export function findRow(id: string | undefined): Element | null {
  return id === undefined ? null : document.querySelector(`[data-row="${CSS.escape(id)}"]`)
}
