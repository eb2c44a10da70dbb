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
import { Button } from '../button.tsx'
import { useLeaveBlocker } from '../form/use-leave-blocker.ts'
import { moveToastFrom } from '../toast/toast.ts'

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
  /** Whether something has been typed: then closing, Back and a reload ask for confirmation. */
  readonly isTyped?: boolean
  /** Whether its write is running: until that ends, the dialog stays. */
  readonly isBusy?: boolean
}

/** Closes the enclosing dialog, after a confirmation if something has been typed. Null while its write is running. */
const Leave = createContext<(() => void) | null>(null)

/**
 * A dialog over everything else, open as long as it is rendered. The browser's own `<dialog>` keeps the focus inside,
 * closes it on Escape and gives the focus back to where it came from.
 */
export function Dialog({ title, onClose, children, actions, role = 'dialog', ...props }: DialogProps) {
  const { onKey, returnTo, isTyped = false, isBusy = false } = props
  const [isAsking, setAsking] = useState(false)
  // Of a double click that opened the dialog, only the second press reaches it.
  const isPressed = useRef(false)
  function leave() {
    if (isBusy) return
    if (isTyped) setAsking(true)
    else onClose()
  }
  // A form starts at its first field, a confirmation at Cancel, and text at its heading.
  const start = role === 'alertdialog' ? '.dialog-actions button' : 'input, select, textarea'
  const { dialog, heading } = useModal(start, returnTo)
  const id = useId()

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
      onMouseDown={event => {
        if (event.detail < 2) isPressed.current = true
        // The focus stays on the first field.
        else if (!isPressed.current) event.preventDefault()
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
        <div className="line wrap dialog-actions">
          <Leave value={isBusy ? null : leave}>{actions}</Leave>
        </div>
      </div>
      {(isTyped || isBusy) && (
        <UnsavedInput
          isBusy={isBusy}
          isAsking={isAsking}
          onDiscard={onClose}
          onKeep={() => setAsking(false)}
        />
      )}
    </dialog>
  )
}

/**
 * Opens a `<dialog>` over everything else as long as it is rendered, moves the focus into it, and afterwards back.
 * @param start selects what has the focus first; without it, the heading
 * @returns the refs of the dialog and of its heading
 */
function useModal(start: string, returnTo: ReturnsFocus['returnTo']) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const latest = useRef(returnTo)
  latest.current = returnTo

  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    element?.showModal()
    const to = element?.querySelector<HTMLElement>(start) ?? heading.current
    to?.focus()
    return () => {
      element?.close()
      const back = latest.current?.(opener) ?? opener
      if (back instanceof HTMLElement && back.isConnected) back.focus()
    }
  }, [start])

  // A layout effect, because a toast inside the dialog has to move before the dialog is removed.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => {
      if (element) moveToastFrom(element)
    }
  }, [])

  return { dialog, heading }
}

interface UnsavedInputProps {
  readonly isBusy: boolean
  /** Whether the person has tried to close the dialog. */
  readonly isAsking: boolean
  readonly onDiscard: () => void
  readonly onKeep: () => void
}

/** Asks before Back or closing loses what was typed. Back waits for a write that is running. */
function UnsavedInput({ isBusy, isAsking, onDiscard, onKeep }: UnsavedInputProps) {
  // A dialog closes itself by pushing a URL, so only Back and Forward go past it.
  const back = useLeaveBlocker(({ historyAction }) => historyAction === 'POP')
  useEffect(() => {
    if (isBusy) back.reset?.()
  }, [back, isBusy])

  function keep() {
    onKeep()
    back.reset?.()
  }

  if (isBusy || !(isAsking || back.state === 'blocked')) return null
  return (
    <ConfirmDialog
      title="Discard what you typed?"
      question="It has not been saved."
      action="Discard"
      cancel="Keep editing"
      onConfirm={back.proceed ?? onDiscard}
      onClose={keep}
    />
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
export function CancelButton({ label = 'Cancel' }: { label?: string }) {
  const leave = use(Leave)
  return (
    <Button isIdle={leave === null} onClick={leave ?? undefined}>
      {label}
    </Button>
  )
}

interface ConfirmDialogProps extends Pick<DialogProps, 'title' | 'onClose' | 'returnTo' | 'isBusy'> {
  readonly question: string
  readonly action: string
  readonly cancel?: string
  readonly onConfirm: () => void
  /** Whether nothing is lost: only what destroys is red. */
  readonly isSafe?: boolean
  /** What else there is to decide. */
  readonly children?: ReactNode
}

/** Asks before something that cannot be undone, or that others see. */
export function ConfirmDialog({ question, action, onConfirm, children, ...props }: ConfirmDialogProps) {
  const { cancel = 'Cancel', isSafe = false, isBusy = false, ...dialog } = props
  return (
    <Dialog
      {...dialog}
      role="alertdialog"
      isBusy={isBusy}
      actions={
        <>
          <CancelButton label={cancel} />
          <button
            type="button"
            className={`button ${isSafe ? 'button-primary' : 'button-danger'}`}
            aria-disabled={isBusy}
            onClick={onConfirm}
          >
            {action}
          </button>
        </>
      }
    >
      <p>{question}</p>
      {children}
    </Dialog>
  )
}
