import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import { isShortcut, isTyping } from '../../../ui/shortcuts.ts'
import { moveToastFrom } from '../../../ui/toast/toast.ts'
import { useMedia } from '../../../ui/use-media.ts'

export interface MessagePaneProps extends ReturnsFocus {
  /** Of the message. When another one is shown, the heading gets the focus, unless the pane has it. */
  readonly id: string
  readonly title: string
  readonly lead?: ReactNode
  /** At the right of the title, for example who else looks at the message. */
  readonly head?: ReactNode
  /** The buttons to the newer and the older message. */
  readonly moves?: ReactNode
  readonly toolbar?: ReactNode
  /** A column in a very wide window, else folded into the line `detailsSummary` below the title. */
  readonly details?: ReactNode
  readonly detailsSummary?: ReactNode
  readonly children: ReactNode
  /** Below the conversation, for example the composer. */
  readonly footer?: ReactNode
  /** The bar at the foot of a phone. */
  readonly bar?: ReactNode
  /** Called for each key that is pressed in the pane, outside its fields. */
  readonly onKey?: (key: string) => void
  readonly onClose: () => void
}

/** From this width the list is usable beside an open message. `message-pane.css` has the same widths. */
export const BESIDE = '(width >= 1200px)'
const DETAILS_BESIDE = '(width >= 1440px)'

/**
 * The frame of an open message: a pane beside the list; in a narrower window a sheet over the list, which cannot be used
 * meanwhile; on a phone it fills the screen. It is one element at every width, so that resizing the window loses nothing
 * that was typed. Escape closes it; from a field it leads to the heading first.
 */
export function MessagePane({ id, title, children, onClose, ...props }: MessagePaneProps) {
  const isBeside = useMedia(BESIDE)
  const { pane, heading } = usePane(id, !isBeside, props.returnTo)
  const titleId = useId()
  useEscape(() => {
    const { activeElement } = document
    if (isTyping(activeElement) && pane.current?.contains(activeElement)) heading.current?.focus()
    else onClose()
  })

  return (
    <dialog
      ref={pane}
      className="dialog inbox-pane"
      aria-labelledby={titleId}
      data-shortcuts
      onCancel={event => {
        event.preventDefault()
        if (event.target === pane.current) onClose()
      }}
      onClick={event => {
        // Outside its content is the list that it covers. Of a double click that opened it, the second half is ignored.
        if (event.target === pane.current && event.detail < 2) onClose()
      }}
      onKeyDown={({ key, nativeEvent }) => {
        if (isShortcut(nativeEvent)) props.onKey?.(key)
      }}
    >
      <div className="break inbox-pane-frame">
        <header className="inbox-pane-head">
          <div className="line wrap inbox-pane-title">
            <h2 id={titleId} ref={heading} tabIndex={-1}>
              {title}
            </h2>
            <div className="if-any">{props.head}</div>
            {props.moves}
            <Button kind="quiet" className="inbox-pane-close" aria-label="Close" onClick={onClose} />
          </div>
          {props.lead && <p className="quiet small">{props.lead}</p>}
          {props.toolbar && <div className="toolbar inbox-pane-toolbar">{props.toolbar}</div>}
        </header>
        <div className="inbox-pane-body">
          {props.details && <Details summary={props.detailsSummary}>{props.details}</Details>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <section className="focus-inside inbox-pane-thread" aria-label="Conversation" tabIndex={0}>
            {children}
          </section>
          {props.footer && <div className="inbox-pane-footer">{props.footer}</div>}
        </div>
        {props.bar && <div className="inbox-pane-bar">{props.bar}</div>}
      </div>
    </dialog>
  )
}

/** One element, whether it is a column or folded, so that resizing the window keeps what is open in it. */
function Details({ summary, children }: { readonly summary: ReactNode; readonly children: ReactNode }) {
  const isColumn = useMedia(DETAILS_BESIDE)
  const [isUnfolded, setUnfolded] = useState(false)
  return (
    <details
      className="small inbox-pane-details"
      open={isColumn || isUnfolded}
      onToggle={({ currentTarget }) => {
        if (!isColumn) setUnfolded(currentTarget.open)
      }}
    >
      <summary>{summary ?? 'Details'}</summary>
      {children}
    </details>
  )
}

/** Calls back on Escape, wherever the focus is, unless something else handles it: a menu, a dialog, the search box. */
function useEscape(onEscape: () => void) {
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const { key, defaultPrevented, isComposing, target } = event
      if (key !== 'Escape' || defaultPrevented || isComposing) return
      if (document.querySelector('dialog:modal:not([data-shortcuts])')) return
      if (target instanceof HTMLSelectElement || isOutsideField(target)) return
      event.preventDefault()
      onEscape()
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  })
}

/** A field of the screen handles Escape itself. */
const isOutsideField = (target: EventTarget | null) =>
  target instanceof Element && isTyping(target) && !target.closest('[data-shortcuts]')

/**
 * Opens a `<dialog>` as long as it is rendered, moves the focus into it, and afterwards back.
 * @param id of what it shows: its heading gets the focus when another id is shown, unless the focus is in the dialog
 * @param isModal whether it is over everything else, which cannot be used then
 * @returns the refs of the dialog and of its heading
 */
function usePane(id: string, isModal: boolean, returnTo: ReturnsFocus['returnTo']) {
  const pane = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const latest = useRef(returnTo)
  latest.current = returnTo
  const opener = useRef<Element | null>(null)
  /** What had the focus in it when it was closed. */
  const focused = useRef<Element | null>(null)

  useEffect(() => {
    return () => {
      // Somebody who is busy elsewhere, for example in the list beside it, stays there.
      const back = focused.current && (latest.current?.(opener.current) ?? opener.current)
      if (back instanceof HTMLElement && back.isConnected) back.focus()
    }
  }, [])

  // A layout effect, because a toast inside the dialog has to move before the dialog is removed.
  useLayoutEffect(() => {
    const element = pane.current
    opener.current ??= document.activeElement
    if (isModal) element?.showModal()
    else element?.show()
    const start = focused.current ?? heading.current
    if (start instanceof HTMLElement) start.focus()
    return () => {
      const { activeElement } = document
      focused.current = element?.contains(activeElement) ? activeElement : null
      if (element) moveToastFrom(element)
      element?.close()
    }
  }, [isModal])

  const holdFocus = () => {
    if (!pane.current?.contains(document.activeElement)) heading.current?.focus()
  }
  // Before the first paint: a key that follows at once is for what is on the screen then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when another message is shown
  useLayoutEffect(holdFocus, [id])
  // A pane in whose place this one has come gives the focus back only now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(holdFocus, [id])

  return { pane, heading }
}
