import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, type Ref, useMemo, useRef } from 'react'

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
  readonly columns: number
  /** The index of a row that is always rendered, because it is about to get the focus. */
  readonly needed?: number | undefined
  /** Renders a row as a `<tr>`; the first has the index 0. */
  readonly children: (row: Row, index: number) => ReactNode
}

/**
 * The rows of a table, split into small bodies, of which those far from the viewport are not rendered: gaps of their
 * height are, so that a long list costs the browser no more than a short one. Rows may differ in height. The body that has
 * the focus stays rendered, and the needed one also after it was needed, because it then gets the focus back.
 */
export function WindowedRows<Row>({ rows, columns, needed = -1, children }: WindowedRowsProps<Row>) {
  /** Pixels: the height of a body that was rendered, for those that have not been yet. */
  const likely = useRef(ROWS_PER_BODY * DEFAULT_ROW_HEIGHT)
  const lastNeeded = useRef(needed)
  if (needed >= 0) lastNeeded.current = needed
  // What is above the table is not counted: its height is small beside the margin.
  const virtualizer = useWindowVirtualizer<HTMLTableSectionElement>({
    count: Math.ceil(rows.length / ROWS_PER_BODY),
    estimateSize: () => likely.current,
    overscan: Math.ceil(RENDER_MARGIN / likely.current),
    initialRect: { width: innerWidth, height: innerHeight },
    // Bodies are rendered long before they are in view, so that rendering may be interrupted.
    useFlushSync: false,
    rangeExtractor: range =>
      withBodies(range, [Math.floor(lastNeeded.current / ROWS_PER_BODY), focusedBody()]),
  })
  // The browser keeps what is in view in its place.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false
  const items = virtualizer.getVirtualItems()
  likely.current = items[0]?.size ?? likely.current

  let end = 0
  const bodies = items.map(item => {
    const gap = item.start - end
    end = item.end
    return (
      <Fragment key={item.key}>
        {gap > 0 && <Gap columns={columns} height={gap} />}
        <Body ref={virtualizer.measureElement} index={item.index} rows={rows}>
          {children}
        </Body>
      </Fragment>
    )
  })
  const rest = virtualizer.getTotalSize() - end
  return [...bodies, rest > 0 && <Gap key="rest" columns={columns} height={rest} />]
}

function withBodies(range: Range, bodies: readonly number[]): number[] {
  const wanted = bodies.filter(body => body >= 0 && body < range.count)
  return [...new Set([...defaultRangeExtractor(range), ...wanted])].sort((a, b) => a - b)
}

/** The index of the body that has the focus, or -1. */
function focusedBody(): number {
  const body = document.activeElement?.closest('tbody')
  return Number(body?.dataset.index ?? -1)
}

interface BodyProps<Row> extends Pick<WindowedRowsProps<Row>, 'rows' | 'children'> {
  readonly ref: Ref<HTMLTableSectionElement>
  readonly index: number
}

function Body<Row>({ ref, index, rows, children }: BodyProps<Row>) {
  const start = index * ROWS_PER_BODY
  // Scrolling renders no row again.
  const content = useMemo(
    () => rows.slice(start, start + ROWS_PER_BODY).map((row, at) => children(row, start + at)),
    [rows, children, start],
  )
  return (
    <tbody ref={ref} data-index={index}>
      {content}
    </tbody>
  )
}

function Gap({ columns, height }: { readonly columns: number; readonly height: number }) {
  return (
    <tbody>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: there is nothing in it that could have the focus */}
      <tr className="table-gap" aria-hidden="true">
        <td colSpan={columns} height={height} />
      </tr>
    </tbody>
  )
}
