import { type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Button } from '../button.tsx'

/** Pixels: the next page is fetched when the end of the list is this close to the viewport. */
const AHEAD = 1200

/** The part of an infinite query that this needs. */
interface List {
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly isFetchNextPageError: boolean
  readonly error: Error | null
  fetchNextPage(): unknown
}

/**
 * Fetches the next page before the end of the list comes into view; the button does the same without scrolling. A failed
 * page is fetched again only by the button.
 */
export function LoadMore({ list }: { list: List }) {
  const { hasNextPage, isFetching, isFetchNextPageError, error } = list
  const line = useRef<HTMLDivElement>(null)
  const latest = useRef(list)
  latest.current = list
  const isWaiting = hasNextPage && !isFetching && !isFetchNextPageError

  useEffect(() => {
    if (!isWaiting || !line.current) return
    // On a busy page the observer reports several entries together, the newest last.
    const onIntersect = (entries: IntersectionObserverEntry[]) => {
      if (entries.at(-1)?.isIntersecting) latest.current.fetchNextPage()
    }
    const observer = new IntersectionObserver(onIntersect, { rootMargin: `${AHEAD}px 0px` })
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [isWaiting])

  if (!hasNextPage) return null
  return (
    <div className="load-more" ref={line}>
      {isFetchNextPageError && <p role="alert">The rest could not be loaded. {error?.message}</p>}
      <Button isIdle={isFetching} onClick={() => list.fetchNextPage()}>
        {isFetching ? 'Loading …' : 'Load more'}
      </Button>
    </div>
  )
}

/**
 * Drops all but the first page of an infinite query when its list is unmounted, and when the returned function is called:
 * a refetch would otherwise request every page that was scrolled to.
 */
export function useResetPages(queryKey: QueryKey): () => void {
  const client = useQueryClient()
  const key = JSON.stringify(queryKey)
  const reset = (of: string) => void client.setQueryData(JSON.parse(of), firstPage)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the client stays the same
  useEffect(() => () => reset(key), [key])
  return () => reset(key)
}

function firstPage(list: InfiniteData<unknown> | undefined) {
  return list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) }
}
