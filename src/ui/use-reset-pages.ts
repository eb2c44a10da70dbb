import { type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/**
 * Drops all but the first page of an infinite query when its list is unmounted, and when the returned function is called:
 * a refetch would otherwise request every page that was scrolled to.
 */
export function useResetPages(queryKey: QueryKey): () => void {
  const client = useQueryClient()
  const key = JSON.stringify(queryKey)
  const reset = (of: string) => client.setQueryData(JSON.parse(of), firstPage)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the client stays the same
  useEffect(
    () => () => {
      reset(key)
    },
    [key],
  )
  return () => {
    reset(key)
  }
}

function firstPage(list: InfiniteData<unknown> | undefined) {
  return list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) }
}
