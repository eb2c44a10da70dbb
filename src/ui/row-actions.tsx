import { type MouseEvent, useState } from 'react'

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
