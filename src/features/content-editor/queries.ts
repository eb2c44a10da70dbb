import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call } from '../../ui/client.ts'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useWrite } from '../../ui/use-write.ts'
import { content, type DocumentQuery, type NewDocument } from './contract.ts'

export type DocumentFilter = Pick<DocumentQuery, 'q' | 'kind'>

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

export function usePublish() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: (publication: z.input<typeof content.publish.input>) => call(content.publish, publication),
    onSuccess: () => client.invalidateQueries({ queryKey: ['content', 'list'] }),
  })
}

export function useUnpublish() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: ({ id }: { id: string }) => call(content.unpublish, { id }),
    onSuccess: ({ document }) => {
      showToast({ title: 'Taken Offline', description: `Visitors no longer see ${document.title}.` })
      return client.invalidateQueries({ queryKey: ['content', 'list'] })
    },
    onError: error => showFailure('Error', error, 'It could not be taken offline'),
  })
}
