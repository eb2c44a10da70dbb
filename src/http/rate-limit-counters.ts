import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Bucket } from './address-levels.ts'
import type { Limit } from './limit.ts'

/** One window of one bucket. */
export interface Counter {
  readonly limit: Limit
  /** Milliseconds since 1970. */
  readonly endsAt: number
  used: number
  hasRefused: boolean
}

/** A counter takes about 250 bytes, whatever it counts against: 25 MB in all. */
const MAX_COUNTERS = 100_000
/** Of each limit; only used while all counters are used up. */
const SHARED_COUNTERS = 1024
/** With each addition: to look through all of them at once would hold up everyone. */
const CLEANED_AT_ONCE = 16

/**
 * Fixed windows by bucket, in memory that is bounded in bytes. A counter that refuses is kept until its window ends,
 * however many others come by: they make room for each other, the one that began first is forgotten first. When all
 * are used up, whoever is new shares a counter with others; these refuse too many rather than too few.
 */
export function createCounters(clock: Clock, most = MAX_COUNTERS) {
  const open = new Map<string, Counter>()
  const usedUp = new Map<string, Counter>()
  const shared = new Map<string, Counter>()
  // Nobody outside knows who shares a counter with whom.
  const salt = randomBytes(16).toString('base64url')
  // Each goes on where it stopped: a fresh one would first pass over all that was deleted before it.
  let cleaned = usedUp.entries()
  let oldest = open.keys()

  /** A window that ends later than one that begins now is from before the clock was set back. */
  function isRunning({ limit, endsAt }: Counter): boolean {
    const left = endsAt - clock().getTime()
    return left > 0 && left <= limit.per
  }

  /** Looks at the next few counters that refuse, round and round, and lets go of those whose window has ended. */
  function cleanUp() {
    for (let count = 0; count < CLEANED_AT_ONCE; count++) {
      const { value, done } = cleaned.next()
      if (done) cleaned = usedUp.entries()
      else if (!isRunning(value[1])) usedUp.delete(value[0])
    }
  }

  function forgetOldest() {
    let next = oldest.next()
    if (next.done) {
      oldest = open.keys()
      next = oldest.next()
    }
    if (!next.done) open.delete(next.value)
  }

  function hasRoom(): boolean {
    return usedUp.size < most
  }

  /** Where the counter of a bucket is, or would be. */
  function locate({ limit, key }: Bucket) {
    const digest = hash('sha256', `${salt} ${key}`, 'base64url')
    const counter = usedUp.get(digest) ?? open.get(digest)
    if (counter && isRunning(counter)) return { key: digest, counter, isShared: false }
    if (counter) remove(digest)
    if (hasRoom()) return { key: digest, counter: undefined, isShared: false }
    const place = `${limit.name} ${limit.count} ${Number.parseInt(hash('sha256', digest).slice(0, 8), 16) % SHARED_COUNTERS}`
    const known = shared.get(place)
    return { key: place, counter: known && isRunning(known) ? known : undefined, isShared: true }
  }

  function remove(key: string) {
    open.delete(key)
    usedUp.delete(key)
  }

  /** Puts a counter where it belongs now that its figure has changed. */
  function place(key: string, counter: Counter, isShared: boolean) {
    if (isShared) return shared.set(key, counter)
    const isUsedUp = counter.used >= counter.limit.count
    if ((isUsedUp ? usedUp : open).has(key)) return
    remove(key)
    if (open.size + usedUp.size >= most) forgetOldest()
    return (isUsedUp ? usedUp : open).set(key, counter)
  }

  return {
    /** The running counter of a bucket; undefined when nothing was taken from it. */
    find: (bucket: Bucket): Counter | undefined => locate(bucket).counter,
    /** Adds to a counter, and begins its window where none runs. */
    add(bucket: Bucket, amount: 1 | -1) {
      const { limit } = bucket
      if (amount > 0) cleanUp()
      const { key, counter, isShared } = locate(bucket)
      if (!counter && amount < 0) return
      const current = counter ?? { limit, endsAt: clock().getTime() + limit.per, used: 0, hasRefused: false }
      current.used = Math.max(0, current.used + amount)
      place(key, current, isShared)
    },
  }
}
