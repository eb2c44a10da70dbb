/** Work that is repeated in the background. */
export interface PeriodicJob {
  /** Starts no more runs, asks the current one to stop early, and resolves when it has. */
  stop(): Promise<void>
}

/**
 * Runs a job immediately and then every `interval` milliseconds, unless the last run is still going.
 *
 * @param run must not fail, and should return early once `isStopped()` is true
 */
export function startPeriodicJob(
  interval: number,
  run: (isStopped: () => boolean) => Promise<void>,
): PeriodicJob {
  let isStopped = false
  let inFlight: Promise<void> | null = null
  const start = () => {
    inFlight ??= run(() => isStopped).then(() => {
      inFlight = null
    })
  }
  start()
  const timer = setInterval(start, interval).unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await inFlight
    },
  }
}
