import { useEffect, useRef } from 'react'

/** Pixels before the end of a list comes into view at which more is asked for. */
const AHEAD = 1200

/** A list that is read page by page, as a query tells of it. */
interface List {
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly isFetchNextPageError: boolean
  readonly error: Error | null
  fetchNextPage(): unknown
}

/**
 * Asks for more before the end of the list comes into view; whoever does not scroll has the button. What failed is
 * tried again by hand only.
 */
export function LoadMore({ list }: { list: List }) {
  const { hasNextPage, isFetching, isFetchNextPageError, error } = list
  const line = useRef<HTMLDivElement>(null)
  const latest = useRef(list)
  latest.current = list
  const isWaiting = hasNextPage && !isFetching && !isFetchNextPageError

  useEffect(() => {
    if (!isWaiting || !line.current) return
    // Of a busy page the observer tells several things at once, the newest last.
    const look = (entries: IntersectionObserverEntry[]) => {
      if (entries.at(-1)?.isIntersecting) latest.current.fetchNextPage()
    }
    const observer = new IntersectionObserver(look, { rootMargin: `${AHEAD}px 0px` })
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [isWaiting])

  if (!hasNextPage) return null
  return (
    <div className="load-more" ref={line}>
      {isFetchNextPageError && <p role="alert">The rest could not be loaded. {error?.message}</p>}
      <button
        type="button"
        className="button"
        aria-disabled={isFetching}
        onClick={() => {
          if (!isFetching) list.fetchNextPage()
        }}
      >
        {isFetching ? 'Loading …' : 'Load more'}
      </button>
    </div>
  )
}
