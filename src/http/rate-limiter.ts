import type { Clock } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import { type Bucket, bucketsOf } from './address-levels.ts'
import { throwHttpError } from './http-error.ts'
import type { Limit } from './limit.ts'
import { createCounters } from './rate-limit-counters.ts'

/**
 * Counts by limit and by whom it counts against: a client address, an account. Whatever takes from a limit is exact,
 * also where several nodes share one; a look is not. An IPv6 client also takes from the limits of the networks around
 * it, and what is given back is given back to all of them.
 */
export interface RateLimiter {
  /**
   * Refuses when this process knows that nothing is left; takes nothing and waits for nobody. For limits of which
   * nothing is given back: another process may know of a place that is free again. @throws {Problem} 429
   */
  check(limit: Limit, key: string): void
  /** Takes one, or refuses when nothing is left. @throws {Problem} 429 with `Retry-After` */
  consume(limit: Limit, key: string): Promise<void>
  /** Takes one if one is left. @returns whether it did, for whoever asks something else of a caller than to wait. */
  tryConsume(limit: Limit, key: string): Promise<boolean>
  /** Returns what was taken for work that then came to nothing. */
  refund(limit: Limit, key: string): Promise<void>
  /**
   * Takes one of each as a part of a transaction, or refuses, which must end it. @returns takes that back: call it when
   * the transaction comes to nothing. @throws {Problem} 429
   */
  consumeInTransaction(transaction: Database, limits: readonly Limit[], key: string): Promise<() => void>
}

/** Fixed windows in this process's memory, for an installation that has no other. */
export function createMemoryRateLimiter(clock: Clock): RateLimiter {
  const counters = createCounters(clock)

  function findUsedUp(buckets: readonly Bucket[]) {
    return buckets.map(counters.find).find(counter => counter && counter.used >= counter.limit.count)
  }

  function check(buckets: readonly Bucket[]) {
    const counter = findUsedUp(buckets)
    if (!counter) return
    const isFirst = !counter.hasRefused
    counter.hasRefused = true
    throwLimitReached(counter.limit, counter.endsAt - clock().getTime(), isFirst)
  }

  /** A refusal by one must not have taken from another. */
  function spend(buckets: readonly Bucket[]) {
    check(buckets)
    for (const bucket of buckets) counters.add(bucket, 1)
  }

  function giveBack(buckets: readonly Bucket[]) {
    for (const bucket of buckets) counters.add(bucket, -1)
  }

  return {
    check(limit, key) {
      check(bucketsOf(limit, key))
    },
    async consume(limit, key) {
      spend(bucketsOf(limit, key))
    },
    async tryConsume(limit, key) {
      const buckets = bucketsOf(limit, key)
      const isLeft = !findUsedUp(buckets)
      if (isLeft) spend(buckets)
      return isLeft
    },
    async refund(limit, key) {
      giveBack(bucketsOf(limit, key))
    },
    async consumeInTransaction(_transaction, limits, key) {
      const buckets = limits.flatMap(limit => bucketsOf(limit, key))
      spend(buckets)
      return () => giveBack(buckets)
    },
  }
}

/** @param wait milliseconds @param isFirst whether the log is to tell of it @throws {Problem} 429 always */
export function throwLimitReached(limit: Limit, wait: number, isFirst: boolean): never {
  throwHttpError(429, 'Too many requests. Please wait a little and try again.', {
    retryAfter: wait / 1000,
    ...(isFirst && { reachedLimit: limit.name }),
  })
}
