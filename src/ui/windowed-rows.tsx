import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'

/** Rows that come and go together: so few that drawing them takes less than a frame. */
const TOGETHER = 20
/** Pixels above and below the window in which rows are kept, for scrolling and for finding in the page. */
const KEPT_AROUND = 3000
/** Pixels of a row, until some have been drawn and measured. */
const LIKELY_HEIGHT = 44

/** The `aria-rowindex` of the first row, behind that of the headings. */
export const FIRST_ROW = 2

interface WindowedRowsProps<Row> {
  readonly rows: readonly Row[]
  /** Of the table. */
  readonly columns: number
  /** The index of a row that is drawn wherever it is: it is about to get the focus. */
  readonly needed?: number | undefined
  /** Draws a row, a `<tr>`; the first has the index 0. */
  readonly children: (row: Row, index: number) => ReactNode
}

/**
 * The rows of a table in bodies of a few each. Far from the window only the height of a body stays, so that a list
 * costs the browser the same however long it is. Rows may differ in height. The body that has the focus stays.
 */
export function WindowedRows<Row>({ rows, columns, needed = -1, children }: WindowedRowsProps<Row>) {
  const likelyHeight = useRef(LIKELY_HEIGHT)
  const starts = Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, at) => at * TOGETHER)
  return starts.map(start => {
    const some = rows.slice(start, start + TOGETHER)
    return (
      <Body
        key={start}
        isFirst={start === 0}
        isNeeded={needed >= start && needed < start + TOGETHER}
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
  /** The height of a row as it was last measured, for bodies that have not been drawn yet. */
  readonly likely: { current: number }
  readonly children: () => ReactNode
}

function Body({ isFirst, isNeeded, count, columns, likely, children }: BodyProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  /** Pixels; null while the rows are drawn. */
  const [gap, setGap] = useState<number | null>(isFirst ? null : count * likely.current)

  useEffect(() => {
    const element = body.current
    if (!element) return
    const look = (entries: IntersectionObserverEntry[]) => {
      // Of a busy page it tells several things at once, the newest last.
      const entry = entries.at(-1)
      // What scrolls into view may be drawn in pieces: it is still far away.
      if (entry?.isIntersecting) startTransition(() => setGap(null))
      else if (entry && !element.contains(document.activeElement)) setGap(entry.boundingClientRect.height)
    }
    const observer = new IntersectionObserver(look, { rootMargin: `${KEPT_AROUND}px 0px` })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // It stays drawn until it has been in sight and left it.
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
