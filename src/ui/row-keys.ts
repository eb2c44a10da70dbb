import type { KeyboardEvent } from 'react'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** In a table, the arrow keys go from what has the focus to the same in the row above or below. */
export function moveBetweenRows(event: KeyboardEvent<HTMLTableElement>): void {
  const step = steps[event.key]
  const focused = document.activeElement
  const row = focused?.closest('tbody tr')
  if (!step || !(focused instanceof HTMLElement) || !row) return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  event.preventDefault()
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')]
  const next = rows[rows.indexOf(row) + step]
  // Somebody has scrolled far away from it: what is next to it is drawn once it is back in sight.
  if (next?.classList.contains('table-gap')) row.scrollIntoView({ block: 'center' })
  else if (next) focusLike(next, controlsOf(row).indexOf(focused))
}

/** Rows need not have the same controls; where there are fewer, the last takes the focus. */
function focusLike(row: Element, place: number) {
  const controls = controlsOf(row)
  controls[Math.min(place, controls.length - 1)]?.focus()
}

const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('a, button')]
