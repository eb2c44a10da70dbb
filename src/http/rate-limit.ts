import type { Clock } from '../clock.ts'
import { refuse } from './problem.ts'

/** At most `count` in each window of `per` milliseconds, which begins with the first. */
export interface Limit {
  readonly name: string
  readonly count: number
  readonly per: number
}

/** Counts by limit and by whom it counts against: a client address, an account. */
export interface RateLimits {
  /** Refuses when nothing is left, and takes nothing. @throws {Problem} 429 with `Retry-After` */
  check(limit: Limit, whom: string): void
  /** Takes one, or refuses when nothing is left. @throws {Problem} 429 with `Retry-After` */
  spend(limit: Limit, whom: string): void
  /** Returns what was spent for work that then came to nothing. */
  giveBack(limit: Limit, whom: string): void
  /** Whether nothing is left, for whoever asks something else of a caller then than to wait. */
  isUsedUp(limit: Limit, whom: string): boolean
}

/** Memory stays bounded when a million addresses come by: the counter that was begun first is forgotten first. */
const MOST_COUNTERS = 100_000

/** Fixed windows in this process's memory. */
export function memoryRateLimits(clock: Clock): RateLimits {
  const counters = new Map<string, { used: number; endsAt: number; hasRefused: boolean }>()

  function current(limit: Limit, whom: string) {
    const key = `${limit.name} ${whom}`
    const known = counters.get(key)
    if (known && known.endsAt > clock().getTime()) return known
    const fresh = { used: 0, endsAt: clock().getTime() + limit.per, hasRefused: false }
    counters.delete(key)
    counters.set(key, fresh)
    const oldest = counters.keys().next().value
    if (counters.size > MOST_COUNTERS && oldest) counters.delete(oldest)
    return fresh
  }

  function check(limit: Limit, whom: string) {
    const counter = current(limit, whom)
    if (counter.used < limit.count) return counter
    const retryAfter = (counter.endsAt - clock().getTime()) / 1000
    const isFirst = !counter.hasRefused
    counter.hasRefused = true
    return refuse(429, 'Too many requests. Please wait a little and try again.', {
      retryAfter,
      ...(isFirst && { reachedLimit: limit.name }),
    })
  }

  return {
    check(limit, whom) {
      check(limit, whom)
    },
    spend(limit, whom) {
      check(limit, whom).used++
    },
    giveBack(limit, whom) {
      const counter = current(limit, whom)
      counter.used = Math.max(0, counter.used - 1)
    },
    isUsedUp(limit, whom) {
      return current(limit, whom).used >= limit.count
    },
  }
}
