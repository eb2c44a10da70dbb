import { type Clock, seconds } from './clock.ts'

/** After this many failures in a row, the circuit opens … */
const MAX_FAILURES = 5
/** … for this many milliseconds; then one caller tries again, while it stays open for the others. */
const OPEN_FOR = seconds(30)

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>

/** Stops calling a service that does not respond, so that callers do not wait for it. @param onOpen called each time the circuit opens */
export function createCircuitBreaker(clock: Clock, onOpen: () => void) {
  let failures = 0
  let openUntil = 0
  let isTrying = false

  /** `open` while the service is not called; `trial` when one caller may try whether it works again. */
  function state() {
    if (failures < MAX_FAILURES) return 'closed'
    const left = openUntil - clock().getTime()
    // More than the whole time left means that the clock was set back, which must not prolong it.
    return isTrying || (left > 0 && left <= OPEN_FOR) ? 'open' : 'trial'
  }

  function recordFailure() {
    failures++
    if (failures < MAX_FAILURES) return
    openUntil = clock().getTime() + OPEN_FOR
    onOpen()
  }

  /** Runs `work` even while the circuit is open, and counts its outcome. For work that cannot be skipped. */
  async function runEvenIfOpen<T>(work: () => Promise<T>, hasFailed: (outcome: T) => boolean): Promise<T> {
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

  /** Runs `work`, or returns null immediately while the circuit is open. @param hasFailed whether an outcome is a failure */
  async function run<T>(work: () => Promise<T>, hasFailed: (outcome: T) => boolean): Promise<T | null> {
    return state() === 'open' ? null : await runEvenIfOpen(work, hasFailed)
  }

  return { state, run, runEvenIfOpen }
}
