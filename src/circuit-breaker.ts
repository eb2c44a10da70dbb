import { type Clock, seconds } from './clock.ts'

/** So many failures in a row, and the other side is left alone … */
const MAX_FAILURES = 5
/** … for this long; then one caller tries again while the others still go without. */
const OPEN_FOR = seconds(30)

/** Spares callers the wait for something that does not answer. */
export interface CircuitBreaker {
  /** `open` while the other side is left alone; `trial` when one caller may see whether it works again. */
  state(): 'closed' | 'open' | 'trial'
  /** Runs `work`, or answers null at once while the other side is left alone. @param hasFailed judges the outcome. */
  run<T>(work: () => Promise<T>, hasFailed: (outcome: T) => boolean): Promise<T | null>
  /** Runs `work` even then, for what cannot wait, and learns from it all the same. */
  runEvenIfOpen<T>(work: () => Promise<T>, hasFailed: (outcome: T) => boolean): Promise<T>
}

/** @param onOpen is told each time that callers are turned away from now on. */
export function createCircuitBreaker(clock: Clock, onOpen: () => void): CircuitBreaker {
  let failures = 0
  let restsUntil = 0
  let isTrying = false

  function state() {
    if (failures < MAX_FAILURES) return 'closed'
    const left = restsUntil - clock().getTime()
    // More left than a whole rest means that the clock was set back; that must not prolong it.
    return isTrying || (left > 0 && left <= OPEN_FOR) ? 'open' : 'trial'
  }

  function recordFailure() {
    failures++
    if (failures < MAX_FAILURES) return
    restsUntil = clock().getTime() + OPEN_FOR
    onOpen()
  }

  async function insist<T>(work: () => Promise<T>, hasFailed: (outcome: T) => boolean): Promise<T> {
    const isTrial = state() === 'trial'
    if (isTrial) isTrying = true
    try {
      const outcome = await work()
      if (hasFailed(outcome)) recordFailure()
      else failures = 0
      return outcome
    } finally {
      if (isTrial) isTrying = false
    }
  }

  return {
    state,
    runEvenIfOpen: insist,
    run: async (work, hasFailed) => (state() === 'open' ? null : await insist(work, hasFailed)),
  }
}
