import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useWrite } from '../../ui/use-write.ts'
import { users } from '../users/contract.ts'
import { type LogQuery, logs } from './contract.ts'

/** The filters that are in the URL. */
export type LogFilter = Pick<LogQuery, 'q' | 'level' | 'source' | 'userId'>

/** Log entries in pages, newest first. The previous list stays visible while another filter loads. */
export function logsQuery(filter: LogFilter) {
  return infiniteQueryOptions({
    queryKey: ['logs', filter],
    queryFn: ({ pageParam }) => call(logs.list, { ...filter, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** The staff to choose from, as many as one call returns. The key makes changes on the screen of users count here too. */
export const staffQuery = queryOptions({
  queryKey: ['users', 'names'],
  queryFn: async () => (await call(users.list, {})).users.map(({ id, name }) => ({ id, name })),
})

/** One entry by its id, for a link to an entry that the list does not show: it is the first of the page that starts there. */
export function entryQuery(id: string) {
  return queryOptions({
    queryKey: ['logs', 'line', id],
    queryFn: async () => {
      const page = await call(logs.list, { cursor: nextId(id), limit: 1 })
      return page.logs.find(entry => entry.id === id) ?? null
    },
  })
}

/** The next id after this one. */
function nextId(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export function useDeleteOld() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: () => call(logs.deleteOld, {}),
    onSuccess({ count }) {
      showToast({ title: 'Logs Deleted', description: `Successfully deleted ${count} old logs.` })
      return client.resetQueries({ queryKey: ['logs'] })
    },
    // The list is not read again: one that failed as well would put its toast in the place of this one.
    onError: error => showFailure('Error', error, 'Failed to delete logs'),
  })
}
