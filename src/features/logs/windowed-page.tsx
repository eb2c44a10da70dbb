import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Pixels above and below the view in which rows are kept: some sixty rows each way, for scrolling and for finding. */
const KEPT_AROUND = 3000

/**
 * A page of rows as one `<tbody>`. Far from the view only its height stays, so that a list costs the browser the same
 * however far down somebody has scrolled. The page that has the focus stays.
 */
export function WindowedPage({ columns, children }: { columns: number; children: () => ReactNode }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [height, setHeight] = useState<number | null>(null)

  useEffect(() => {
    const element = body.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setHeight(null)
        else if (entry && !element.contains(document.activeElement))
          setHeight(entry.boundingClientRect.height)
      },
      { rootMargin: `${KEPT_AROUND}px 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <tbody ref={body}>
      {height === null ? (
        children()
      ) : (
        <tr className="table-gap">
          <td
            colSpan={columns}
            ref={cell => {
              if (cell) cell.style.height = `${height}px`
            }}
          />
        </tr>
      )}
    </tbody>
  )
}

/** Asks for more before the end of the list comes into view; whoever does not scroll has the button. */
export function LoadMore({ isLoading, onLoad }: { isLoading: boolean; onLoad: () => void }) {
  const line = useRef<HTMLParagraphElement>(null)
  const load = useRef(onLoad)
  load.current = onLoad

  useEffect(() => {
    if (isLoading || !line.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current(), {
      rootMargin: '1200px 0px',
    })
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [isLoading])

  return (
    <p className="load-more" ref={line}>
      <button type="button" className="button" aria-disabled={isLoading} onClick={onLoad}>
        {isLoading ? 'Loading …' : 'Load more'}
      </button>
    </p>
  )
}
