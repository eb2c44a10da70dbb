import { type Clock, seconds } from './clock.ts'

/** So many failures in a row, and the other side is left alone … */
const MOST_FAILURES = 5
/** … for this long; then one caller tries again while the others still go without. */
const REST = seconds(30)

/** Spares callers the wait for something that does not answer. */
export interface CircuitBreaker {
  /** `open` while the other side is left alone; `trial` when one caller may see whether it works again. */
  state(): 'closed' | 'open' | 'trial'
  /** Runs `work`, or answers null at once while the other side is left alone. @param hasFailed judges the outcome. */
  run<T>(work: () => Promise<T>, hasFailed: (outcome: T) => boolean): Promise<T | null>
  /** Runs `work` even then, for what cannot wait, and learns from it all the same. */
  insist<T>(work: () => Promise<T>, hasFailed: (outcome: T) => boolean): Promise<T>
}

/** @param onOpen is told each time that callers are turned away from now on. */
export function createCircuitBreaker(clock: Clock, onOpen: () => void): CircuitBreaker {
  let failures = 0
  let restsUntil = 0
  let isTrying = false

  function state() {
    if (failures < MOST_FAILURES) return 'closed'
    const left = restsUntil - clock().getTime()
    // More left than a whole rest means that the clock was set back; that must not prolong it.
    return isTrying || (left > 0 && left <= REST) ? 'open' : 'trial'
  }

  function noteFailure() {
    failures++
    if (failures < MOST_FAILURES) return
    restsUntil = clock().getTime() + REST
    onOpen()
  }

  async function insist<T>(work: () => Promise<T>, hasFailed: (outcome: T) => boolean): Promise<T> {
    const isTrial = state() === 'trial'
    if (isTrial) isTrying = true
    try {
      const outcome = await work()
      if (hasFailed(outcome)) noteFailure()
      else failures = 0
      return outcome
    } finally {
      if (isTrial) isTrying = false
    }
  }

  return {
    state,
    insist,
    run: async (work, hasFailed) => (state() === 'open' ? null : await insist(work, hasFailed)),
  }
}
