import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useWrite } from '../../ui/use-write.ts'
import { content } from './contract.ts'
import { useContentRefresh } from './queries.ts'

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

export function useRestore(id: string) {
  const refresh = useContentRefresh()
  return useWrite({
    mutationFn: (number: number) => call(content.restore, { id, number }),
    onSuccess(_reply, number) {
      showToast({ title: 'Version Restored', description: `Version ${number} is the draft now.` })
      return refresh()
    },
    onError: error => showFailure('Error', error, 'Failed to restore the version'),
  })
}
