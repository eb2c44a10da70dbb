import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ReturnsFocus } from '../../ui/dialog.tsx'
import { moveToastFrom } from '../../ui/toast.ts'

/**
 * Opens a `<dialog>` as long as it is rendered, moves the focus into it, and afterwards back.
 * @param id of what it shows: its heading gets the focus when another id is shown, unless the focus is in the dialog
 * @param isModal whether it is over everything else, which cannot be used then
 * @returns the refs of the dialog and of its heading
 */
export function usePane(id: string, isModal: boolean, returnTo: ReturnsFocus['returnTo']) {
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when another message is shown
  useEffect(() => {
    if (!pane.current?.contains(document.activeElement)) heading.current?.focus()
  }, [id])

  return { pane, heading }
}
