import { type Clock, seconds } from '../clock.ts'

/** So many failures in a row, and the other side is left alone … */
const MOST_FAILURES = 5
/** … for this long; then one caller tries again while the others still go without. */
const REST = seconds(30)

/** Spares callers the wait for something that does not answer. */
export interface CircuitBreaker {
  /** Runs `work`, or answers null at once while the other side is left alone. @param hasFailed judges the outcome. */
  run<T>(work: () => Promise<T>, hasFailed: (outcome: T) => boolean): Promise<T | null>
}

/** @param onOpen is told each time that callers are turned away from now on. */
export function createCircuitBreaker(clock: Clock, onOpen: () => void): CircuitBreaker {
  let failures = 0
  let restsUntil = 0
  let isTrying = false

  function isOpen(): boolean {
    if (failures < MOST_FAILURES) return false
    const left = restsUntil - clock().getTime()
    // More left than a whole rest means that the clock was set back; that must not prolong it.
    return isTrying || (left > 0 && left <= REST)
  }

  function noteFailure() {
    failures++
    if (failures < MOST_FAILURES) return
    restsUntil = clock().getTime() + REST
    onOpen()
  }

  return {
    async run(work, hasFailed) {
      if (isOpen()) return null
      const isTrial = failures >= MOST_FAILURES
      if (isTrial) isTrying = true
      try {
        const outcome = await work()
        if (hasFailed(outcome)) noteFailure()
        else failures = 0
        return outcome
      } finally {
        if (isTrial) isTrying = false
      }
    },
  }
}
