import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { moveToastFrom } from './toast.ts'

export interface ReturnsFocus {
  /** Returns the element to focus when the dialog closes, where that is not the one that opened it. */
  readonly returnTo?: ((opener: Element | null) => HTMLElement | null) | undefined
}

interface DialogProps extends ReturnsFocus {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons, the most likely choice last. */
  readonly actions: ReactNode
  /** `alertdialog` asks before something that cannot be undone. */
  readonly role?: 'dialog' | 'alertdialog'
  /** Called for each key that is pressed in the dialog. */
  readonly onKey?: (key: string) => void
  /** Whether something has been typed: then closing asks for confirmation. */
  readonly isTyped?: boolean
}

/** Closes the enclosing dialog, after a confirmation if something has been typed. */
const Leave = createContext(() => {})

/**
 * A dialog over everything else, open as long as it is rendered. The browser's own `<dialog>` keeps the focus inside,
 * closes it on Escape and gives the focus back to where it came from.
 */
export function Dialog({ title, onClose, children, actions, role = 'dialog', ...props }: DialogProps) {
  const { onKey, isTyped = false } = props
  const [isAsking, setAsking] = useState(false)
  const leave = () => (isTyped ? setAsking(true) : onClose())
  const returnTo = useRef(props.returnTo)
  returnTo.current = props.returnTo
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()

  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    element?.showModal()
    // A form starts at its first field, a confirmation at Cancel, and text at its heading.
    const start = element?.querySelector<HTMLElement>(
      role === 'alertdialog' ? '.dialog-actions button' : 'input, select, textarea',
    )
    const to = start ?? heading.current
    to?.focus()
    return () => {
      element?.close()
      const back = returnTo.current?.(opener) ?? opener
      if (back instanceof HTMLElement && back.isConnected) back.focus()
    }
  }, [role])

  // A layout effect, because a toast inside the dialog has to move before the dialog is removed.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => {
      if (element) moveToastFrom(element)
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      role={role}
      className="dialog"
      aria-labelledby={`${id}title`}
      onCancel={event => {
        event.preventDefault()
        // Escape in a dialog that was opened from this one closes that one only.
        if (event.target === dialog.current) leave()
      }}
      onClick={event => {
        // A click whose target is the dialog itself is on the backdrop. The second half of the double click that
        // opened the dialog is ignored.
        if (event.target === dialog.current && event.detail < 2) leave()
      }}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape' && isOwnEscape(event.nativeEvent)) {
          event.preventDefault()
          return leave()
        }
        if (!event.ctrlKey && !event.metaKey && !event.altKey) onKey?.(event.key)
      }}
    >
      <div className="dialog-panel">
        <h2 id={`${id}title`} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <div className="dialog-content">{children}</div>
        <div className="dialog-actions">
          <Leave value={leave}>{actions}</Leave>
        </div>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Discard what you typed?"
          question="It has not been saved."
          action="Discard"
          cancel="Keep editing"
          isBusy={false}
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </dialog>
  )
}

/**
 * Whether Escape is for the dialog. A browser lets a page keep a dialog open only once and closes it at the next Escape,
 * so the key is handled before the browser does. An open select or an unfinished composition handles Escape itself.
 */
function isOwnEscape({ target, isComposing }: KeyboardEvent): boolean {
  return !isComposing && !(target instanceof HTMLSelectElement)
}

/** Closes the dialog whose action it is. */
export function CancelButton() {
  const leave = use(Leave)
  return (
    <button type="button" className="button" onClick={leave}>
      Cancel
    </button>
  )
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  title,
  question,
  action,
  cancel = 'Cancel',
  isBusy,
  onConfirm,
  onClose,
  returnTo,
}: Pick<DialogProps, 'title' | 'onClose' | 'returnTo'> & {
  question: string
  action: string
  cancel?: string
  isBusy: boolean
  onConfirm: () => void
}) {
  return (
    <Dialog
      role="alertdialog"
      title={title}
      onClose={onClose}
      returnTo={returnTo}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {cancel}
          </button>
          <button type="button" className="button button-danger" aria-disabled={isBusy} onClick={onConfirm}>
            {action}
          </button>
        </>
      }
    >
      <p>{question}</p>
    </Dialog>
  )
}
