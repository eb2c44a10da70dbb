import { useEffect } from 'react'
import { findRow } from '../../ui/row-focus.ts'

/** The document that was open last. */
let lastOpened: string | null = null

/** Call it where a document is open. */
export function useRowReturn(id: string) {
  useEffect(() => {
    lastOpened = id
  }, [id])
}

/** Call it when the document that is open is deleted: its row will go. */
export function forgetRow() {
  lastOpened = null
}

/** Somebody who comes back to the list from a document is at its row, unless something else has the focus. */
export function useReturnedFocus() {
  useEffect(() => {
    const row = lastOpened === null ? null : findRow(lastOpened)
    lastOpened = null
    const isFree = document.activeElement === document.body || document.activeElement?.matches('h1')
    if (isFree) row?.querySelector<HTMLElement>('a, button')?.focus()
  }, [])
}
