import { useEffect, useLayoutEffect, useRef } from 'react'
import { moveToastFrom } from '../toast/toast.ts'

export interface ReturnsFocus {
  /** Returns the element to focus when the dialog closes, where that is not the one that opened it. */
  readonly returnTo?: ((opener: Element | null) => HTMLElement | null) | undefined
}

/**
 * Opens a `<dialog>` over everything else as long as it is rendered, moves the focus into it, and afterwards back.
 * @param start selects what has the focus first; without it, the heading
 * @returns the refs of the dialog and of its heading
 */
export function useModal(start: string, returnTo: ReturnsFocus['returnTo']) {
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
