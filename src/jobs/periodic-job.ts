/**
 * Runs a job immediately and then every `interval` milliseconds, unless the last run is still going.
 *
 * @param run must not fail, and should return early once `isStopped()` is true
 */
export function startPeriodicJob(interval: number, run: (isStopped: () => boolean) => Promise<void>) {
  let isStopped = false
  let inFlight: Promise<void> | null = null
  /** Starts a run now, unless one is going. */
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
    /** Starts no more runs, asks the current one to stop early, and resolves when it has. */
    async stop() {
      isStopped = true
      clearInterval(timer)
      await inFlight
    },
  }
}
