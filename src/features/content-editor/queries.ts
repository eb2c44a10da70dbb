import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../ui/client.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { findRow } from '../../ui/list/row-actions.tsx'
import { showFailure, showToast, type Toast } from '../../ui/toast/toast.ts'
import { archive, type ContentDocument, content, type DocumentQuery } from './contract.ts'

export type DocumentFilter = Pick<DocumentQuery, 'q' | 'kind' | 'state' | 'editedBy'>

/** The list in pages, the site first. The previous list stays visible while another filter loads. */
export function documentsQuery(filter: DocumentFilter) {
  return infiniteQueryOptions({
    queryKey: ['content', 'list', filter],
    queryFn: ({ pageParam }) => call(content.list, { ...filter, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** Reads again all that is shown of content, and the tasks of the dashboard. @param gone a document of which nothing is read again */
export async function refresh(client: QueryClient, gone?: string) {
  const isThere = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => !queryKey.includes(gone)
  await Promise.all([
    client.invalidateQueries({ queryKey: ['content'], predicate: isThere }),
    client.invalidateQueries({ queryKey: ['dashboard'] }),
  ])
}

interface Outcome<Reply, Input> {
  readonly done?: (reply: Reply, input: Input) => Toast
  /** What is said of a failure that gives no reason; undefined where nothing is said of it. */
  readonly failed?: string | ((error: Error) => string | undefined)
  /** Called before what is shown is read again. */
  readonly then?: ((reply: Reply) => unknown) | undefined
}

/** A change of content. What is shown is read again, also where it failed: that may be because it is out of date. */
export function useContentWrite<Reply, Input>(
  mutationFn: (input: Input) => Promise<Reply>,
  { done, failed, then }: Outcome<Reply, Input> = {},
) {
  const client = useQueryClient()
  return useWrite({
    mutationFn,
    async onSuccess(reply, input) {
      if (done) showToast(done(reply, input))
      await then?.(reply)
    },
    onError(error) {
      const fallback = typeof failed === 'function' ? failed(error) : failed
      if (fallback) showFailure('Error', error, fallback)
    },
    onSettled: () => refresh(client),
  })
}

/** @param then is called before the lists are read again */
export const useRestoreDocument = (then?: (reply: { document: ContentDocument }) => unknown) =>
  useContentWrite((id: string) => call(archive.restore, { id }), {
    done: ({ document: { title, state } }) => ({
      title: 'Deletion Undone',
      description: `${title} is back${state === 'offline' ? ', and offline' : ''}.`,
    }),
    failed: 'It could not be brought back',
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
