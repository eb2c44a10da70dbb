import { type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/**
 * A list that is read page by page goes back to its first page when somebody leaves it, and when the function given back
 * is called: to read it afresh would otherwise ask for every page that was scrolled to.
 */
export function useResetPages(queryKey: QueryKey): () => void {
  const client = useQueryClient()
  const key = JSON.stringify(queryKey)
  const cut = (of: string) => client.setQueryData(JSON.parse(of), firstPage)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the client stays the same
  useEffect(
    () => () => {
      cut(key)
    },
    [key],
  )
  return () => {
    cut(key)
  }
}

function firstPage(list: InfiniteData<unknown> | undefined) {
  return list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) }
}
