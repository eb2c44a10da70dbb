import { useEffect } from 'react'

/** The document that was open last, for the list. In a file of its own, so that the editor needs nothing else of the list. */

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

/** The id of the document that somebody comes back from, once. */
export function takeLastOpened(): string | null {
  const id = lastOpened
  lastOpened = null
  return id
}
