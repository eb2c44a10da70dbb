import type { Clock } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import { refuse } from './problem.ts'

/** At most `count` in each window of `per` milliseconds, which begins with the first. */
export interface Limit {
  readonly name: string
  readonly count: number
  readonly per: number
}

/**
 * Counts by limit and by whom it counts against: a client address, an account. Whatever takes from a limit is exact,
 * also where several nodes share one; a look is not.
 */
export interface RateLimits {
  /**
   * Refuses when this process knows that nothing is left; takes nothing and waits for nobody. For limits of which
   * nothing is given back: another process may know of a place that is free again. @throws {Problem} 429
   */
  check(limit: Limit, whom: string): void
  /** Takes one, or refuses when nothing is left. @throws {Problem} 429 with `Retry-After` */
  spend(limit: Limit, whom: string): Promise<void>
  /** Takes one if one is left. @returns whether it did, for whoever asks something else of a caller than to wait. */
  take(limit: Limit, whom: string): Promise<boolean>
  /** Returns what was taken for work that then came to nothing. */
  giveBack(limit: Limit, whom: string): Promise<void>
  /**
   * Takes one of each as a part of a transaction, or refuses, which must end it. @returns takes that back: call it when
   * the transaction comes to nothing. @throws {Problem} 429
   */
  spendWithin(transaction: Database, limits: readonly Limit[], whom: string): Promise<() => void>
}

/** Memory stays bounded when a million addresses come by: the counter that was begun first is forgotten first. */
const MOST_COUNTERS = 100_000

/** Fixed windows in this process's memory, for an installation that has no other. */
export function memoryRateLimits(clock: Clock): RateLimits {
  const counters = new Map<string, { used: number; endsAt: number; hasRefused: boolean }>()

  function current(limit: Limit, whom: string) {
    const key = keyOf(limit, whom)
    const now = clock().getTime()
    const known = counters.get(key)
    // A window that ends later than one that begins now is from before the clock was set back.
    if (known && known.endsAt > now && known.endsAt <= now + limit.per) return known
    const fresh = { used: 0, endsAt: now + limit.per, hasRefused: false }
    putNewest(counters, key, fresh)
    return fresh
  }

  function check(limit: Limit, whom: string) {
    const counter = current(limit, whom)
    if (counter.used < limit.count) return counter
    const isFirst = !counter.hasRefused
    counter.hasRefused = true
    return refuseFor(limit, counter.endsAt - clock().getTime(), isFirst)
  }

  function giveBack(limit: Limit, whom: string) {
    const counter = current(limit, whom)
    counter.used = Math.max(0, counter.used - 1)
  }

  return {
    check(limit, whom) {
      check(limit, whom)
    },
    async spend(limit, whom) {
      check(limit, whom).used++
    },
    async take(limit, whom) {
      const counter = current(limit, whom)
      const isLeft = counter.used < limit.count
      if (isLeft) counter.used++
      return isLeft
    },
    async giveBack(limit, whom) {
      giveBack(limit, whom)
    },
    async spendWithin(_transaction, limits, whom) {
      // A refusal by one must not have taken from another.
      for (const counter of limits.map(limit => check(limit, whom))) counter.used++
      return () => {
        for (const limit of limits) giveBack(limit, whom)
      }
    },
  }
}

export function keyOf(limit: Limit, whom: string): string {
  return `${limit.name} ${whom}`
}

/** Puts an entry behind all others, and lets the one in front go when there are too many. */
export function putNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next().value
  if (map.size > MOST_COUNTERS && oldest) map.delete(oldest)
}

/** @param wait milliseconds @param isFirst whether the log is to tell of it @throws {Problem} 429 always */
export function refuseFor(limit: Limit, wait: number, isFirst: boolean): never {
  refuse(429, 'Too many requests. Please wait a little and try again.', {
    retryAfter: wait / 1000,
    ...(isFirst && { reachedLimit: limit.name }),
  })
}
