/** Milliseconds after which others are served before long work goes on. */
const TURN = 5

let turns: Promise<void> = Promise.resolve()

/**
 * Await it before work that takes some milliseconds. What several requests do so runs in as many turns of the event loop, one
 * after the other: together they hold up everybody else no longer than one of them.
 */
export function nextTurn(): Promise<void> {
  // What is set while requests are read would run before the next ones are.
  turns = turns.then(() => new Promise(resolve => setImmediate(() => setImmediate(resolve))))
  return turns
}

/** For work in many small steps. @returns a function to await between them, which lets others be served when it is time */
export async function takeTurns(): Promise<() => Promise<void>> {
  await nextTurn()
  let end = performance.now() + TURN
  return async () => {
    if (performance.now() < end) return
    await nextTurn()
    end = performance.now() + TURN
  }
}

/** Runs work in the order in which it was asked for, and only so much of it at the same time. */
type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

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

/** Milliseconds for which work that can wait rests at most, so that it comes to its end. */
export const LONGEST_REST = 1000

/**
 * Runs work of which there may be very much one after the other, and rests after each piece, so that those who are served between
 * notice little of it. @param rest how many times as long as the piece took, up to a second
 */
export function createPace(rest: number): ConcurrencyLimit {
  let isFree: Promise<unknown> = Promise.resolve()
  return async work => {
    const before = isFree
    const { promise, resolve } = Promise.withResolvers<void>()
    isFree = promise
    await before
    const begun = performance.now()
    try {
      return await work()
    } finally {
      setTimeout(resolve, Math.min(rest * (performance.now() - begun), LONGEST_REST))
    }
  }
}

/**
 * Limits the work of several people: each has one piece of it in the common queue at a time, so that nobody waits for
 * all that another one asks for.
 */
export function createFairLimit(atOnce: number) {
  const limitAll = createConcurrencyLimit(atOnce)
  /** By person. */
  const limitsOwn = new Map<string, ConcurrencyLimit>()
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const limitOwn = limitsOwn.get(userId) ?? createConcurrencyLimit(1)
    limitsOwn.set(userId, limitOwn)
    return await limitOwn(() => limitAll(work))
  }
}
