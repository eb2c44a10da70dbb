import { useRef } from 'react'

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
