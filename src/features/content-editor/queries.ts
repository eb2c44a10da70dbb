import { keepPreviousData } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../ui/client.ts'
import { findRow } from '../../ui/list/row-actions.tsx'
import { pagesQuery, useChange } from '../../ui/use-call.ts'
import { archive, type ContentDocument, content, type DocumentQuery } from './contract.ts'

export type DocumentFilter = Pick<DocumentQuery, 'q' | 'kind' | 'state' | 'editedBy'>

/** The list in pages, the site first. The previous list stays visible while another filter loads. */
export function documentsQuery(filter: DocumentFilter) {
  const query = pagesQuery(['content', 'list', filter], cursor => call(content.list, { ...filter, cursor }))
  return { ...query, placeholderData: keepPreviousData }
}

/** @param then is called before the lists are read again */
export const useRestoreDocument = (then?: (reply: { document: ContentDocument }) => unknown) =>
  useChange(archive.restore, {
    done: ({ document: { title, state } }) => ({
      title: 'Deletion Undone',
      description: `${title} is back${state === 'offline' ? ', and offline' : ''}.`,
    }),
    failed: ['Error', 'It could not be brought back'],
    then,
  })

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
