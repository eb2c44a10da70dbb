/** Runs work in the order in which it was asked for, and only so much of it at the same time. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

/** Other requests are served between the end of one piece of work and the beginning of the next. @param atOnce how many run */
export function createConcurrencyLimit(atOnce: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running < atOnce) running++
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) setImmediate(next)
      else running--
    }
  }
}
