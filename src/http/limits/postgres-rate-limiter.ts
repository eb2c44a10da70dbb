import { createHash } from 'node:crypto'
import { type QueryResult, sql } from 'kysely'
import { type Param, prepare } from '../../database/prepare.ts'
import type { Database, RateLimitRow } from '../../database/tables.ts'
import { type Clock, isoAfter, MAX_CLOCK_SKEW } from '../../platform/clock.ts'
import { type Bucket, bucketsOf, type Limit, type RateLimiter, throwLimitReached } from './rate-limiter.ts'

/** Rows per statement, which may take at most five seconds; after an attack there may be millions. */
const BATCH = 5000

/** Entries of about 200 bytes. */
const MAX_CACHED = 100_000

interface UsedUp {
  readonly endsAt: number
  readonly hasRejected: boolean
}

/**
 * Fixed windows in PostgreSQL, shared by all nodes. Each call is one statement, which also counts for the larger networks
 * of an IPv6 client. A node caches in memory only which buckets are used up, so that a flood no longer reaches the
 * database; what the cache evicts, the database still knows.
 */
export function createPostgresRateLimiter(db: Database, clock: Clock): RateLimiter {
  const usedUp = new Map<string, UsedUp>()

  function cacheUsedUp(key: string, endsAt: number) {
    const known = usedUp.get(key)
    putLast(usedUp, key, known?.endsAt === endsAt ? known : { endsAt, hasRejected: false })
  }

  function throwUsedUp({ limit, key }: Bucket, { endsAt, hasRejected }: UsedUp) {
    usedUp.set(key, { endsAt, hasRejected: true })
    throwLimitReached(limit, endsAt - clock().getTime(), !hasRejected)
  }

  /** Consumes one of each bucket. @returns the buckets that were full, and those that were not. */
  async function count(within: Database, buckets: readonly Bucket[]) {
    const rows = await countRows(within, buckets, clock)
    const isFull = (bucket: Bucket) => {
      const row = rows.find(({ key }) => key === bucket.key)
      if (row && row.used >= bucket.limit.count) cacheUsedUp(bucket.key, Date.parse(row.ends_at))
      return row !== undefined && row.used > bucket.limit.count
    }
    const full = buckets.filter(isFull)
    return { full, consumed: buckets.filter(bucket => !full.includes(bucket)) }
  }

  /** Consumes one of each bucket, or none if one is full. @returns the first full bucket */
  async function consumeAll(buckets: readonly Bucket[]) {
    const { full, consumed } = await count(db, buckets)
    if (full.length > 0 && consumed.length > 0) await refund(consumed)
    return full[0]
  }

  async function refund(buckets: readonly Bucket[]) {
    for (const { key } of buckets) usedUp.delete(key)
    await refundRows(db, buckets, clock)
  }

  function throwIfUsedUp(bucket: Bucket | undefined) {
    const known = bucket && usedUp.get(bucket.key)
    if (bucket && known) throwUsedUp(bucket, known)
  }

  return {
    check(limit, key) {
      for (const bucket of hashedBuckets([limit], key)) {
        const known = usedUp.get(bucket.key)
        const wait = (known?.endsAt ?? 0) - clock().getTime()
        if (known && wait > 0 && wait <= limit.per + MAX_CLOCK_SKEW) throwUsedUp(bucket, known)
      }
    },
    async consume(limit, key) {
      throwIfUsedUp(await consumeAll(hashedBuckets([limit], key)))
    },
    async tryConsume(limit, key) {
      return (await consumeAll(hashedBuckets([limit], key))) === undefined
    },
    async refund(limit, key) {
      await refund(hashedBuckets([limit], key))
    },
    async consumeInTransaction(transaction, limits, key) {
      const buckets = hashedBuckets(limits, key)
      throwIfUsedUp((await count(transaction, buckets)).full[0])
      // A rollback refunds the rows by itself; only the cache must be cleared.
      transaction.afterRollback(() => {
        for (const { key } of buckets) usedUp.delete(key)
      })
    },
  }
}

/** Puts an entry last, and evicts the first one when there are too many. */
function putLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next().value
  if (map.size > MAX_CACHED && oldest !== undefined) map.delete(oldest)
}

/** Keys are hashed, because addresses and accounts are personal data and can have any length. */
function hashedBuckets(limits: readonly Limit[], key: string): readonly Bucket[] {
  return limits
    .flatMap(limit => bucketsOf(limit, key))
    .map(({ limit, key }) => ({ limit, key: createHash('sha256').update(key).digest('base64url') }))
}

export async function deleteExpiredWindows(db: Database, clock: Clock): Promise<void> {
  const ended = db
    .selectFrom('rate_limits')
    .select('key')
    .where('ends_at', '<=', isoAfter(clock))
    .limit(BATCH)
  let deleted = BATCH
  while (deleted === BATCH) {
    const { numDeletedRows } = await db.deleteFrom('rate_limits').where('key', 'in', ended).executeTakeFirst()
    deleted = Number(numDeletedRows)
  }
}

interface NewCounts {
  now: string
  latest: string
  [key: `key${number}`]: string
  [count: `count${number}`]: number
  [endsAt: `ends_at${number}`]: string
}

function valuesOf(buckets: readonly Bucket[], clock: Clock): NewCounts {
  const longest = Math.max(...buckets.map(({ limit }) => limit.per))
  const values: NewCounts = { now: isoAfter(clock), latest: isoAfter(clock, longest + MAX_CLOCK_SKEW) }
  for (const [at, { limit, key }] of buckets.entries()) {
    values[`key${at}`] = key
    values[`count${at}`] = limit.count
    values[`ends_at${at}`] = isoAfter(clock, limit.per)
  }
  return values
}

type Counted = Pick<RateLimitRow, 'key' | 'used' | 'ends_at'>
type Statement = (db: Database, values: NewCounts) => Promise<QueryResult<Counted>>

/** Starts a window for each bucket or counts in its current one, up to one past the limit, which means rejected. */
const countRows = byLength(countStatement)
/** Makes one free in each bucket, however often it has rejected requests since. */
const refundRows = byLength(refundStatement)

/** Prepares one statement for each number of buckets, of which there are few. */
function byLength(build: (length: number) => Statement) {
  const statements = new Map<number, Statement>()
  return async (db: Database, buckets: readonly Bucket[], clock: Clock): Promise<Counted[]> => {
    const statement = statements.get(buckets.length) ?? build(buckets.length)
    statements.set(buckets.length, statement)
    return (await statement(db, valuesOf(buckets, clock))).rows
  }
}

function countStatement(length: number): Statement {
  return prepare<NewCounts, Counted>((db, value) => {
    // A window that ends after the latest was started before a clock was set back.
    const isOver = sql`(rate_limits.ends_at <= ${value('now')} or rate_limits.ends_at > ${value('latest')})`
    return insertRows(db, value, length, 1)
      .onConflict(conflict =>
        conflict.column('key').doUpdateSet({
          used: sql<number>`case when ${isOver} then 1 else least(rate_limits.used, excluded.most) + 1 end`,
          ends_at: sql<string>`case when ${isOver} then excluded.ends_at else rate_limits.ends_at end`,
        }),
      )
      .returning(['key', 'used', 'ends_at'])
  })
}

/** An insert, because it locks rows in the order of the buckets; an update of several rows locks them in any order. */
function refundStatement(length: number): Statement {
  return prepare<NewCounts, Counted>((db, value) =>
    insertRows(db, value, length, 0)
      .onConflict(conflict =>
        conflict
          .column('key')
          .doUpdateSet({
            used: sql<number>`greatest(least(rate_limits.used, rate_limits.most) - 1, 0)`,
          })
          .where('rate_limits.ends_at', '>', value('now')),
      )
      .returning(['key', 'used', 'ends_at']),
  )
}

function insertRows(db: Database, value: Param<NewCounts>, length: number, used: 0 | 1) {
  return db.insertInto('rate_limits').values(
    Array.from({ length }, (_, at) => ({
      key: value(`key${at}`),
      used,
      most: value(`count${at}`),
      ends_at: value(`ends_at${at}`),
    })),
  )
}
