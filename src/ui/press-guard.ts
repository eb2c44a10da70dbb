import { useEffect, useRef } from 'react'

/**
 * Milliseconds after a press in which the same press is taken for the second half of a double click, also when the
 * first was answered meanwhile. Nobody reads an answer and decides to try again that fast.
 */
const DOUBLE_CLICK = 300

/**
 * @param run drops out when a run of this lane has not ended, or when the same was pressed a moment ago
 * @param press what is asked for; another input in the same form is another press
 * @param lane what may not run twice at once; everything of one guard unless given
 */
export type PressGuard = (run: () => Promise<unknown>, press?: string, lane?: string) => void

/**
 * The guard of every button that writes. It decides at the press itself: a state that is drawn later would let the
 * second half of a double click through.
 * @param now milliseconds
 * @param editedAt when a field was last edited, on the same clock: who has typed since is not double-clicking
 */
export function createPressGuard(
  now: () => number = () => performance.now(),
  editedAt: () => number = () => Number.NEGATIVE_INFINITY,
): PressGuard {
  const running = new Set<string>()
  let last = { press: '', at: Number.NEGATIVE_INFINITY }
  return async (run, press = '', lane = '') => {
    const sinceLast = now() - last.at
    const isRepeat = press === last.press && editedAt() < last.at
    // A clock that was set back says nothing.
    const isDoubleClick = isRepeat && sinceLast >= 0 && sinceLast < DOUBLE_CLICK
    if (running.has(lane) || isDoubleClick) return
    last = { press, at: now() }
    running.add(lane)
    try {
      await run()
    } finally {
      running.delete(lane)
    }
  }
}

/** One guard for the life of a component. */
export function usePressGuard(): PressGuard {
  const editedAt = useRef(Number.NEGATIVE_INFINITY)
  const once = useRef<PressGuard>(null)
  useEffect(() => {
    const recordEdit = () => {
      editedAt.current = performance.now()
    }
    document.addEventListener('input', recordEdit)
    return () => document.removeEventListener('input', recordEdit)
  }, [])
  once.current ??= createPressGuard(undefined, () => editedAt.current)
  return once.current
}
