/** Work that comes round again and again, beside everything else. */
export interface Rounds {
  /** No more of them; ends when the one in hand has, which is asked to end early. */
  stop(): Promise<void>
}

/**
 * Does a round now and then one every `interval` milliseconds, unless the last one is still in hand.
 *
 * @param round must not fail; `isStopped` says whether it had better end where it is.
 */
export function startRounds(interval: number, round: (isStopped: () => boolean) => Promise<void>): Rounds {
  let isStopped = false
  let inHand: Promise<void> | null = null
  const begin = () => {
    inHand ??= round(() => isStopped).then(() => {
      inHand = null
    })
  }
  begin()
  const timer = setInterval(begin, interval).unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await inHand
    },
  }
}
