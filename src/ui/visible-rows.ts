import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Rows beyond the edges of the window, so that scrolling does not come upon nothing. */
const BEYOND = 8
/** The edges move by so many rows at a time, so that few scrolls draw anew. */
const STEP = 4
/** Pixels, until rows are there to be measured. */
const LIKELY_HEIGHT = 48

export interface VisibleRows {
  /** Goes on the element that holds the rows. */
  readonly holder: RefObject<HTMLTableSectionElement | null>
  /** The rows to draw, and after how many pixels of nothing each begins. */
  readonly rows: readonly { readonly index: number; readonly gapBefore: number }[]
  /** Pixels of nothing behind the last of them. */
  readonly gapAfter: number
  /** Behind the last row in the window. */
  readonly end: number
}

/**
 * Which of `count` rows of one height are in the window, so that a list may have any number of them. Rows to draw are
 * marked with `aria-rowindex`, from which a screen reader knows where it is.
 * @param kept a row that is drawn wherever it is: the one that has the focus
 */
export function useVisibleRows(count: number, kept: number | null): VisibleRows {
  const holder = useRef<HTMLTableSectionElement>(null)
  const [height, setHeight] = useState(LIKELY_HEIGHT)
  const [[start, end], setEdges] = useState<readonly [number, number]>([0, 40])

  useLayoutEffect(() => {
    const measured = holder.current && measureRow(holder.current)
    if (measured && Math.abs(measured - height) > 0.5) setHeight(measured)
  })

  useEffect(() => {
    const look = () => {
      if (!holder.current) return
      const { top } = holder.current.getBoundingClientRect()
      const first = STEP * Math.floor((-top / height - BEYOND) / STEP)
      const last = STEP * Math.ceil(((innerHeight - top) / height + BEYOND) / STEP)
      setEdges(known => (known[0] === first && known[1] === last ? known : [first, last]))
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [height])

  const first = Math.max(0, Math.min(start, count - 1))
  const last = Math.min(Math.max(end, first), count)
  const indices = Array.from({ length: last - first }, (_, at) => first + at)
  if (kept !== null && kept < count && (kept < first || kept >= last)) indices.push(kept)
  indices.sort((one, other) => one - other)
  const rows = indices.map((index, at) => ({
    index,
    gapBefore: (index - (at === 0 ? 0 : (indices[at - 1] ?? 0) + 1)) * height,
  }))
  return { holder, rows, gapAfter: (count - 1 - (indices.at(-1) ?? count - 1)) * height, end }
}

/** From the top of one row to the top of the next. */
function measureRow(holder: HTMLElement): number | null {
  for (const row of holder.querySelectorAll('[aria-rowindex]')) {
    const next = row.nextElementSibling
    if (next?.hasAttribute('aria-rowindex'))
      return next.getBoundingClientRect().top - row.getBoundingClientRect().top
  }
  return null
}
