/** Work that is repeated in the background. */
export interface PeriodicJob {
  /** Starts a run now, unless one is going. */
  start(): void
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
    if (isStopped) return
    inFlight ??= run(() => isStopped).then(() => {
      inFlight = null
    })
  }
  start()
  const timer = setInterval(start, interval).unref()
  return {
    start,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await inFlight
    },
  }
}
