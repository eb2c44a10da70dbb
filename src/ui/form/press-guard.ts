import { useEffect, useRef } from 'react'

/**
 * Milliseconds in which the same press counts as the second half of a double click, even when the first call has
 * already ended. Nobody reads a result and decides to try again that fast.
 */
const DOUBLE_CLICK = 300

/**
 * @param run is not called while a run of this lane has not ended, or right after the same press
 * @param press identifies the press; another input in the same form is another press
 * @param lane what may not run twice concurrently; by default everything of one guard
 */
export type PressGuard = (run: () => Promise<unknown>, press?: string, lane?: string) => void

/**
 * The guard of every button that writes. It decides synchronously: React state is rendered later, which would let the
 * second half of a double click through.
 * @param now milliseconds
 * @param editedAt when a field was last edited, on the same clock: an edit since the last press means that it is not a double click
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
    // A negative time means that the clock was set back.
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
