/** Work that comes round again and again, beside everything else. */
export interface PeriodicJob {
  /** No more of them; ends when the one in hand has, which is asked to end early. */
  stop(): Promise<void>
}

/**
 * Does a round now and then one every `interval` milliseconds, unless the last one is still in hand.
 *
 * @param round must not fail; `isStopped` says whether it had better end where it is.
 */
export function startPeriodicJob(
  interval: number,
  round: (isStopped: () => boolean) => Promise<void>,
): PeriodicJob {
  let isStopped = false
  let inFlight: Promise<void> | null = null
  const begin = () => {
    inFlight ??= round(() => isStopped).then(() => {
      inFlight = null
    })
  }
  begin()
  const timer = setInterval(begin, interval).unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await inFlight
    },
  }
}
