import { createHash } from 'node:crypto'
import { type Clock, isoAfter } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import { type Bucket, bucketsOf } from './address-levels.ts'
import type { Limit } from './limit.ts'
import { countRows, MAX_CLOCK_SKEW, refundRows } from './postgres-rate-limit-rows.ts'
import { type RateLimiter, throwLimitReached } from './rate-limiter.ts'

/** Rows; a statement may take five seconds, and after an attack there may be millions. */
const BATCH = 5000

/** Entries of about 200 bytes. */
const MAX_REMEMBERED = 100_000

interface UsedUp {
  readonly endsAt: number
  readonly hasRefused: boolean
}

/**
 * Fixed windows in PostgreSQL, the same for all nodes: one statement for each spend, which counts for an IPv6 client's
 * larger networks too. A node remembers in memory only what it has seen used up, so that whoever floods it costs the
 * database nothing more; what it forgets of that, the database still knows.
 */
export function createPostgresRateLimiter(db: Database, clock: Clock): RateLimiter {
  const usedUp = new Map<string, UsedUp>()

  function note(key: string, endsAt: number) {
    const known = usedUp.get(key)
    putNewest(usedUp, key, known?.endsAt === endsAt ? known : { endsAt, hasRefused: false })
  }

  function refuse({ limit, key }: Bucket, { endsAt, hasRefused }: UsedUp) {
    usedUp.set(key, { endsAt, hasRefused: true })
    throwLimitReached(limit, endsAt - clock().getTime(), !hasRefused)
  }

  /** Takes one of each. @returns the buckets that had nothing left, and those that had. */
  async function count(within: Database, buckets: readonly Bucket[]) {
    const rows = await countRows(within, buckets, clock)
    const isFull = (bucket: Bucket) => {
      const row = rows.find(({ key }) => key === bucket.key)
      if (row && row.used >= bucket.limit.count) note(bucket.key, Date.parse(row.ends_at))
      return row !== undefined && row.used > bucket.limit.count
    }
    const full = buckets.filter(isFull)
    return { full, taken: buckets.filter(bucket => !full.includes(bucket)) }
  }

  /** The same, or nothing at all. @returns the bucket that had nothing left */
  async function takeAll(buckets: readonly Bucket[]) {
    const { full, taken } = await count(db, buckets)
    if (full.length > 0 && taken.length > 0) await refund(taken)
    return full[0]
  }

  async function refund(buckets: readonly Bucket[]) {
    for (const { key } of buckets) usedUp.delete(key)
    await refundRows(db, buckets, clock)
  }

  function refuseBy(bucket: Bucket | undefined) {
    const known = bucket && usedUp.get(bucket.key)
    if (bucket && known) refuse(bucket, known)
  }

  return {
    check(limit, key) {
      for (const bucket of hashedBuckets([limit], key)) {
        const known = usedUp.get(bucket.key)
        const wait = (known?.endsAt ?? 0) - clock().getTime()
        if (known && wait > 0 && wait <= limit.per + MAX_CLOCK_SKEW) refuse(bucket, known)
      }
    },
    async consume(limit, key) {
      refuseBy(await takeAll(hashedBuckets([limit], key)))
    },
    async tryConsume(limit, key) {
      return (await takeAll(hashedBuckets([limit], key))) === undefined
    },
    async refund(limit, key) {
      await refund(hashedBuckets([limit], key))
    },
    async consumeInTransaction(transaction, limits, whom) {
      const buckets = hashedBuckets(limits, whom)
      refuseBy((await count(transaction, buckets)).full[0])
      // What was taken ends with the transaction by itself.
      return () => {
        for (const { key } of buckets) usedUp.delete(key)
      }
    },
  }
}

/** Puts an entry behind all others, and lets the one in front go when there are too many. */
function putNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next().value
  if (map.size > MAX_REMEMBERED && oldest !== undefined) map.delete(oldest)
}

/** Addresses and accounts are nobody's business here, and of any length. */
function hashedBuckets(limits: readonly Limit[], whom: string): readonly Bucket[] {
  return limits
    .flatMap(limit => bucketsOf(limit, whom))
    .map(({ limit, key }) => ({ limit, key: createHash('sha256').update(key).digest('base64url') }))
}

/** Removes the windows that are over. */
export async function deleteExpiredWindows(db: Database, clock: Clock): Promise<void> {
  const ended = db
    .selectFrom('rate_limits')
    .select('key')
    .where('ends_at', '<=', isoAfter(clock))
    .limit(BATCH)
  let last = BATCH
  while (last === BATCH) {
    const { numDeletedRows } = await db.deleteFrom('rate_limits').where('key', 'in', ended).executeTakeFirst()
    last = Number(numDeletedRows)
  }
}
