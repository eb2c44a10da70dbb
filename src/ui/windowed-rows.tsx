import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'

/** Rows per body: so few that rendering them takes less than a frame. */
const ROWS_PER_BODY = 20
/** Pixels above and below the viewport in which rows stay rendered, for scrolling and for find in page. */
const RENDER_MARGIN = 3000
/** Pixels: the height of a row until some have been rendered and measured. */
const DEFAULT_ROW_HEIGHT = 44

/** The `aria-rowindex` of the first row, after the headings. */
export const FIRST_ROW = 2

interface WindowedRowsProps<Row> {
  readonly rows: readonly Row[]
  /** The number of columns. */
  readonly columns: number
  /** The index of a row that is always rendered, because it is about to get the focus. */
  readonly needed?: number | undefined
  /** Renders a row as a `<tr>`; the first has the index 0. */
  readonly children: (row: Row, index: number) => ReactNode
}

/**
 * The rows of a table, split into small bodies. Far from the viewport a body is replaced by a gap of its height, so that a
 * long list costs the browser no more than a short one. Rows may differ in height. The focused body stays rendered.
 */
export function WindowedRows<Row>({ rows, columns, needed = -1, children }: WindowedRowsProps<Row>) {
  const likelyHeight = useRef(DEFAULT_ROW_HEIGHT)
  const starts = Array.from({ length: Math.ceil(rows.length / ROWS_PER_BODY) }, (_, at) => at * ROWS_PER_BODY)
  return starts.map(start => {
    const some = rows.slice(start, start + ROWS_PER_BODY)
    return (
      <Body
        key={start}
        isFirst={start === 0}
        isNeeded={needed >= start && needed < start + ROWS_PER_BODY}
        count={some.length}
        columns={columns}
        likely={likelyHeight}
      >
        {() => some.map((row, at) => children(row, start + at))}
      </Body>
    )
  })
}

interface BodyProps {
  readonly isFirst: boolean
  readonly isNeeded: boolean
  readonly count: number
  readonly columns: number
  /** The last measured row height, for bodies that have not been rendered yet. */
  readonly likely: { current: number }
  readonly children: () => ReactNode
}

function Body({ isFirst, isNeeded, count, columns, likely, children }: BodyProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  /** Pixels; null while the rows are rendered. */
  const [gap, setGap] = useState<number | null>(isFirst ? null : count * likely.current)

  useEffect(() => {
    const element = body.current
    if (!element) return
    const onIntersect = (entries: IntersectionObserverEntry[]) => {
      // On a busy page the observer reports several entries together, the newest last.
      const entry = entries.at(-1)
      // Rendering may be interrupted, because the rows are still far from the viewport.
      if (entry?.isIntersecting) startTransition(() => setGap(null))
      else if (entry && !element.contains(document.activeElement)) setGap(entry.boundingClientRect.height)
    }
    const observer = new IntersectionObserver(onIntersect, { rootMargin: `${RENDER_MARGIN}px 0px` })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // Stays rendered until it has been in view and left it.
  if (isNeeded && gap !== null) setGap(null)

  useEffect(() => {
    if (gap === null && body.current) likely.current = body.current.offsetHeight / count
  }, [gap, count, likely])

  return (
    <tbody ref={body}>
      {gap === null ? (
        children()
      ) : (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: there is nothing in it that could have the focus
        <tr className="table-gap" aria-hidden="true">
          <td colSpan={columns} height={gap} />
        </tr>
      )}
    </tbody>
  )
}
