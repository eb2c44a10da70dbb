import { type QueryResult, sql } from 'kysely'
import { type Clock, isoAfter, minutes } from '../clock.ts'
import { type Param, prepare } from '../database/prepare.ts'
import type { Database, RateLimitRow } from '../database/tables.ts'
import type { Bucket } from './address-levels.ts'

/** The clocks of two nodes may differ by this much. A window that ends even later was started before a clock was set back. */
export const MAX_CLOCK_SKEW = minutes(1)

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
export const countRows = byLength(countStatement)
/** Makes one free in each bucket, however often it has rejected requests since. */
export const refundRows = byLength(refundStatement)

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
