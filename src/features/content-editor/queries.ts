import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type * as z from 'zod/mini'
import { call } from '../../ui/client.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { findRow } from '../../ui/list/row-actions.tsx'
import { showFailure, showToast, type Toast } from '../../ui/toast/toast.ts'
import { showUndoToast } from '../../ui/toast/undo-toast.ts'
import { archive, type ContentDocument, content, type DocumentQuery, type NewDocument } from './contract.ts'

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

/** A document as it is now: no old copy is shown, because what is typed starts from it. */
export function documentQuery(id: string) {
  return queryOptions({
    queryKey: ['content', 'open', id],
    queryFn: () => call(content.open, { id }),
    gcTime: 0,
    refetchOnWindowFocus: true,
  })
}

export function useCreateDocument() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: (document: z.input<typeof NewDocument>) => call(content.create, document),
    onSuccess({ document }) {
      showToast({ title: 'Page Added', description: `${document.title} is offline until it is published.` })
      return client.invalidateQueries({ queryKey: ['content', 'list'] })
    },
  })
}

/** Looks for a deleted document that had a path: its text and its history may be what somebody wants. */
export function useFindDeleted() {
  return useWrite({
    async mutationFn(path: string) {
      const { documents } = await call(content.list, { state: 'deleted', q: path })
      return documents.find(document => document.path === path) ?? null
    },
  })
}

/** Reads again all that is shown of content, and the tasks of the dashboard. @param gone a document of which nothing is read again */
async function refresh(client: QueryClient, gone?: string) {
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

export const usePublish = () =>
  useContentWrite((publication: z.input<typeof content.publish.input>) => call(content.publish, publication))

export const useUnpublish = () =>
  useContentWrite((id: string) => call(content.unpublish, { id }), {
    done: ({ document: { title } }) => ({
      title: 'Taken Offline',
      description: `Visitors no longer see ${title}.`,
    }),
    failed: 'It could not be taken offline',
  })

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

/** Deletes a document and goes back to the list, from where it can be undone. */
export function useDeleteDocument() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const undo = useRestoreDocument()
  return useWrite({
    mutationFn: ({ id }: ContentDocument) => call(archive.delete, { id }),
    async onSuccess(_reply, { id, title }) {
      forgetRow()
      // First, or the editor would ask for a document that is no longer there.
      await navigate('/content')
      const description = `Visitors no longer see ${title}. You find it in the list under the state Deleted.`
      showUndoToast({ title: 'Page Deleted', description, undo: () => undo.mutate(id) })
      return refresh(client, id)
    },
    onError: error => showFailure('Error', error, 'It could not be deleted'),
  })
}

let lastOpened: string | null = null

/** Call it where a document is open. */
export function useRowReturn(id: string) {
  useEffect(() => {
    lastOpened = id
  }, [id])
}

/** Call it when the document that is open is deleted: its row will go. */
function forgetRow() {
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

/** Versions that are loaded at once: more than the pane shows without scrolling. */
const PAGE = 30

/** The versions of a document in pages, newest first. Publishing and restoring add one. */
export function versionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['content', 'versions', id],
    queryFn: ({ pageParam }) => call(content.versions, { id, limit: PAGE, cursor: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
  })
}

/** One version with its body. It never changes. */
export function versionQuery(id: string, number: number | null) {
  return queryOptions({
    queryKey: ['content', 'version', id, number],
    queryFn: () => call(content.version, { id, number: number ?? 0 }),
    enabled: number !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const useRestore = (id: string) =>
  useContentWrite((number: number) => call(content.restore, { id, number }), {
    done: (_reply, number) => ({
      title: 'Version Restored',
      description: `Version ${number} is the draft now.`,
    }),
    failed: 'Failed to restore the version',
  })
