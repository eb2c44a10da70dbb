import { useRef } from 'react'

/** What marks the element of a list that is about one thing; `useRowFocus` finds it by this. */
export const rowAttribute = (id: string) => ({ 'data-row': id })

/**
 * Where the focus goes when a dialog about a row closes: to what opened it if that is in the row; else to the row; when
 * the row has been deleted, to the one that took its place, else to the last, else to what `otherwise` selects.
 * @param ids of all rows, in order @param id of the row that the dialog is about
 */
export function useRowFocus(ids: readonly string[], id: string | undefined, otherwise: string) {
  /** As they are when the dialog has closed, which may be one drawing later. */
  const latest = useRef(ids)
  latest.current = ids
  /** Where the row was when it was last there. */
  const place = useRef(0)
  const at = id === undefined ? -1 : ids.indexOf(id)
  if (at >= 0) place.current = at

  return (opener: Element | null): HTMLElement | null => {
    const row = (id && findRow(id)) || findRow(latest.current[place.current] ?? latest.current.at(-1))
    // A dialog that was opened from another goes back into that one, while it is there.
    const isInPlace = opener?.isConnected && (row?.contains(opener) || opener.closest('dialog:modal'))
    if (isInPlace && opener instanceof HTMLElement) return opener
    return row?.querySelector<HTMLElement>('a, button') ?? document.querySelector<HTMLElement>(otherwise)
  }
}

function findRow(id: string | undefined): Element | null {
  return id === undefined ? null : document.querySelector(`[data-row="${CSS.escape(id)}"]`)
}
