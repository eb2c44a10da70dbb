import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { takeToastFrom } from './toast.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons, the most likely choice last. */
  readonly actions: ReactNode
  /** `alertdialog` asks before something that cannot be undone. */
  readonly role?: 'dialog' | 'alertdialog'
  /** Keys that are pressed anywhere in it. */
  readonly onKey?: (key: string) => void
}

/**
 * A dialog over everything else, open as long as it is rendered. The browser's own `<dialog>` keeps the focus inside,
 * closes it on Escape and gives the focus back to where it came from.
 */
export function Dialog({ title, onClose, children, actions, role = 'dialog', onKey }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()

  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    element?.showModal()
    // A form begins at its first field, a question at Cancel; what is only to be read, at its heading.
    const start = element?.querySelector<HTMLElement>(
      role === 'alertdialog' ? '.dialog-actions button' : 'input, select, textarea',
    )
    const to = start ?? heading.current
    to?.focus()
    return () => {
      element?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [role])

  // Before it is gone, not after: a toast that is in it would be gone too.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => {
      if (element) takeToastFrom(element)
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
        if (event.target === dialog.current) onClose()
      }}
      onClick={event => {
        // A click on the dialog itself, not on what is in it, is one on the backdrop.
        if (event.target === dialog.current) onClose()
      }}
      onKeyDown={event => {
        event.stopPropagation()
        if (!event.ctrlKey && !event.metaKey && !event.altKey) onKey?.(event.key)
      }}
    >
      <div className="dialog-panel">
        <h2 id={`${id}title`} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <div className="dialog-content">{children}</div>
        <div className="dialog-actions">{actions}</div>
      </div>
    </dialog>
  )
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  title,
  question,
  action,
  isBusy,
  onConfirm,
  onClose,
}: {
  title: string
  question: string
  action: string
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      role="alertdialog"
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
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
