import { hash, randomBytes } from 'node:crypto'
import type { Transaction } from '../../database/transaction.ts'
import { replies } from '../../i18n/texts.ts'
import type { Clock } from '../../platform/clock.ts'
import { throwHttpError } from '../http-error.ts'

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

/** One window of one bucket. */
interface Counter {
  readonly limit: Limit
  /** Milliseconds since 1970. */
  readonly endsAt: number
  used: number
  hasRejected: boolean
}

/** A counter takes about 250 bytes, whatever its key: 25 MB in all. */
const MAX_COUNTERS = 100_000
/** Per limit; only used while all counters are used up. */
const SHARED_COUNTERS = 1024
/** Counters checked with each addition; checking all of them at a time would block the event loop. */
const CLEANED_PER_ADDITION = 16

/**
 * Fixed windows by bucket, in bounded memory. A counter that is used up is kept until its window ends, however many
 * others are added; of those that are not, the oldest is evicted first. When all counters are used up, new keys share
 * counters with each other, which reject too many requests rather than too few.
 */
export function createCounters(clock: Clock, max = MAX_COUNTERS) {
  const open = new Map<string, Counter>()
  const usedUp = new Map<string, Counter>()
  const shared = new Map<string, Counter>()
  // Salted, so that nobody can predict which keys share a counter.
  const salt = randomBytes(16).toString('base64url')
  // Both iterators are kept: a new one would first skip every entry deleted before it.
  let cleaned = usedUp.entries()
  let oldest = open.keys()

  /** A window that ends later than one that starts now was started before the clock was set back. */
  function isRunning({ limit, endsAt }: Counter): boolean {
    const left = endsAt - clock().getTime()
    return left > 0 && left <= limit.per
  }

  /** Checks the next few used-up counters, cycling through them all, and deletes those whose window has ended. */
  function cleanUp() {
    for (let count = 0; count < CLEANED_PER_ADDITION; count++) {
      const { value, done } = cleaned.next()
      if (done) cleaned = usedUp.entries()
      else if (!isRunning(value[1])) usedUp.delete(value[0])
    }
  }

  function deleteOldest() {
    let next = oldest.next()
    if (next.done) {
      oldest = open.keys()
      next = oldest.next()
    }
    if (!next.done) open.delete(next.value)
  }

  function hasRoom(): boolean {
    return usedUp.size < max
  }

  /** Finds the counter of a bucket, or the key where it would be stored. */
  function locate({ limit, key }: Bucket) {
    const digest = hash('sha256', `${salt} ${key}`, 'base64url')
    const counter = usedUp.get(digest) ?? open.get(digest)
    if (counter && isRunning(counter)) return { key: digest, counter, isShared: false }
    if (counter) remove(digest)
    if (hasRoom()) return { key: digest, counter: undefined, isShared: false }
    const sharedKey = `${limit.name} ${limit.count} ${Number.parseInt(hash('sha256', digest).slice(0, 8), 16) % SHARED_COUNTERS}`
    const known = shared.get(sharedKey)
    return { key: sharedKey, counter: known && isRunning(known) ? known : undefined, isShared: true }
  }

  function remove(key: string) {
    open.delete(key)
    usedUp.delete(key)
  }

  /** Moves a counter to the map where it belongs now that its count has changed. */
  function store(key: string, counter: Counter, isShared: boolean) {
    if (isShared) return shared.set(key, counter)
    const isUsedUp = counter.used >= counter.limit.count
    if ((isUsedUp ? usedUp : open).has(key)) return
    remove(key)
    if (open.size + usedUp.size >= max) deleteOldest()
    return (isUsedUp ? usedUp : open).set(key, counter)
  }

  return {
    /** The current counter of a bucket; undefined when nothing was consumed from it. */
    find: (bucket: Bucket): Counter | undefined => locate(bucket).counter,
    /** Adds to a counter, and starts its window if none is running. */
    add(bucket: Bucket, amount: 1 | -1) {
      const { limit } = bucket
      if (amount > 0) cleanUp()
      const { key, counter, isShared } = locate(bucket)
      if (!counter && amount < 0) return
      const current = counter ?? { limit, endsAt: clock().getTime() + limit.per, used: 0, hasRejected: false }
      current.used = Math.max(0, current.used + amount)
      store(key, current, isShared)
    },
  }
}

/** At most `count` requests in each fixed window of `per` milliseconds, which starts with the first request. */
export interface Limit {
  readonly name: string
  readonly count: number
  readonly per: number
}

/** One rate limit counter that a request consumes from. */
export interface Bucket {
  readonly limit: Limit
  readonly key: string
}

/**
 * The networks around a client's /64, with how many times its limit each one gets. Providers assign a home or an office
 * a /64, a /56 or a /48, so a single client may be able to use thousands of /64s. A mobile network, however, puts many
 * unrelated clients into one /48, so the limit grows with the network: four times for a /56, sixteen times for a /48.
 * Neighbouring IPv4 addresses usually belong to unrelated clients, so an IPv4 address is counted only by itself.
 */
const LARGER_NETWORKS = [
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
]

/** Only IPv6 client addresses have this form; ids, email addresses and IPv4 addresses do not. */
const NETWORK_64 = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):([0-9a-f]{1,4})::\/64$/

/** A client's own address or one of the networks around it. */
export interface Network {
  readonly key: string
  /** Multiple of the limit of one client. */
  readonly times: number
}

/** @returns the narrowest first: several for an IPv6 client, otherwise one. */
export function networksOf(key: string): readonly Network[] {
  const own = { key, times: 1 }
  const [, site, subnet = ''] = NETWORK_64.exec(key) ?? []
  if (!site) return [own]
  const wider = LARGER_NETWORKS.map(({ bits, times }) => ({
    key: `${site}:${maskSubnet(subnet, bits)}::/${bits}`,
    times,
  }))
  return [own, ...wider]
}

/**
 * Returns all counters of a limit for one key, the narrowest network first. Every caller updates them in this order, so that
 * two transactions cannot deadlock.
 */
export function bucketsOf(limit: Limit, key: string): readonly Bucket[] {
  return networksOf(key).map(({ key: network, times }) => ({
    limit: times === 1 ? limit : { ...limit, count: limit.count * times },
    key: `${limit.name} ${network}`,
  }))
}

/** Clears the host bits of the fourth group: a /56 keeps the first 8 of its 16 bits, a /48 keeps none. */
function maskSubnet(subnet: string, bits: number): string {
  const shift = 64 - bits
  return ((parseInt(subnet, 16) >> shift) << shift).toString(16)
}
