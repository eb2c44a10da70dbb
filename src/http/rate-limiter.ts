import type { Clock } from '../clock.ts'
import type { Transaction } from '../database/transaction.ts'
import { replies } from '../i18n/texts.ts'
import { type Bucket, bucketsOf } from './address-levels.ts'
import { throwHttpError } from './http-error.ts'
import type { Limit } from './limit.ts'
import { createCounters } from './rate-limit-counters.ts'

/**
 * Counts by limit and by key, such as a client address or an account. Consuming is exact, also where several nodes share
 * a limit; `check` is not. An IPv6 client also consumes from the limits of the networks around it, and a refund goes to
 * all of them.
 */
export interface RateLimiter {
  /**
   * Throws when this process knows that the limit is used up; consumes nothing and does not wait. Only for limits that
   * are never refunded, because another process may have made a refund. @throws {HttpError} 429
   */
  check(limit: Limit, key: string): void
  /** Consumes one. @throws {HttpError} 429 with `Retry-After` when nothing is left */
  consume(limit: Limit, key: string): Promise<void>
  /** Consumes one if one is left. @returns whether it did, for callers that do something other than reply 429. */
  tryConsume(limit: Limit, key: string): Promise<boolean>
  /** Gives back one that was consumed for work that was then not done. */
  refund(limit: Limit, key: string): Promise<void>
  /**
   * Consumes one of each limit as part of a transaction, and refunds them when it is rolled back. An error must roll it
   * back. @throws {HttpError} 429
   */
  consumeInTransaction(transaction: Transaction, limits: readonly Limit[], key: string): Promise<void>
}

/** Fixed windows in this process's memory, for an installation with a single process. */
export function createMemoryRateLimiter(clock: Clock): RateLimiter {
  const counters = createCounters(clock)

  function findUsedUp(buckets: readonly Bucket[]) {
    return buckets.map(counters.find).find(counter => counter && counter.used >= counter.limit.count)
  }

  function check(buckets: readonly Bucket[]) {
    const counter = findUsedUp(buckets)
    if (!counter) return
    const isFirst = !counter.hasRejected
    counter.hasRejected = true
    throwLimitReached(counter.limit, counter.endsAt - clock().getTime(), isFirst)
  }

  /** Checks all buckets first, so that a rejection by one consumes nothing from another. */
  function consumeAll(buckets: readonly Bucket[]) {
    check(buckets)
    for (const bucket of buckets) counters.add(bucket, 1)
  }

  function refundAll(buckets: readonly Bucket[]) {
    for (const bucket of buckets) counters.add(bucket, -1)
  }

  return {
    check(limit, key) {
      check(bucketsOf(limit, key))
    },
    async consume(limit, key) {
      consumeAll(bucketsOf(limit, key))
    },
    async tryConsume(limit, key) {
      const buckets = bucketsOf(limit, key)
      const isLeft = !findUsedUp(buckets)
      if (isLeft) consumeAll(buckets)
      return isLeft
    },
    async refund(limit, key) {
      refundAll(bucketsOf(limit, key))
    },
    async consumeInTransaction(transaction, limits, key) {
      const buckets = limits.flatMap(limit => bucketsOf(limit, key))
      consumeAll(buckets)
      transaction.afterRollback(() => refundAll(buckets))
    },
  }
}

/** @param wait milliseconds @param isFirst whether to log it @throws {HttpError} 429 always */
export function throwLimitReached(limit: Limit, wait: number, isFirst: boolean): never {
  throwHttpError(429, replies.tooMany, {
    retryAfter: wait / 1000,
    ...(isFirst && { reachedLimit: limit.name }),
  })
}
