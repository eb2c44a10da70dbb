import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { offMainThread } from '../../database/sqlite/off-main-thread.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { lastActivity } from './entries.server.ts'
import { type Condition, conditionsOf, isNoSpam, isNotMerged, type ListFilter } from './filter.server.ts'

/** Messages that one statement reads: a few milliseconds' work. */
const CHUNK_SIZE = 1000
/** The most messages that one call reads. */
const MAX_SCANNED = 20_000
/** Milliseconds after which a call reads no other chunk, so that it answers within 50 when texts are long, too. */
const SCAN_TIME = 15

/** Where in a list to start, and in which direction to read. */
export interface Cursor {
  /** The list continues after this message. Without it, it starts at the newest or the oldest. */
  readonly from?: string | undefined
  readonly towards: 'older' | 'newer'
}

/** A message, with the version that matched. */
interface Found {
  readonly id: string
  readonly version: number
}

/** Consecutive matches of a list, in its order. */
interface Chunk {
  readonly found: readonly Found[]
  /** The cursor from which to continue; null at the end of the list. */
  readonly next: string | null
}

/**
 * Finds the next `limit` messages that match. Reads messages in the order of the list, and at most a fixed number of them:
 * where matches are far apart it returns fewer, perhaps none, and `next` is where the following call continues.
 */
export async function findPage(
  db: Database,
  filter: ListFilter,
  cursor: Cursor,
  limit: number,
): Promise<Chunk> {
  const found = conditionsOf(db, filter)
  const conditions = [
    ...(filter.status ? [] : [isNoSpam]),
    ...(filter.q === undefined || filter.isUnmerged ? [isNotMerged] : []),
    ...found,
  ]
  const list = { conditions, order: filter.order === 'activity' ? byActivity : byId }
  if (found.length === 0) return await scanChunk(db, list, cursor, limit)
  // The time depends on what visitors wrote, so it must not block the main thread.
  return await offMainThread(() => scan(db, list, cursor, limit))
}

/** The id of the next message of a list; null also when it is further away than one call reads. */
export async function findNext(db: Database, filter: ListFilter, cursor: Cursor): Promise<string | null> {
  const { found } = await findPage(db, filter, cursor, 1)
  return found[0]?.id ?? null
}

/** What a list has and how it is sorted. */
interface List {
  readonly conditions: readonly Condition[]
  readonly order: Order
}

/** An index has the columns of each order. */
interface Order {
  readonly columns: (direction: RawBuilder<unknown>) => RawBuilder<unknown>
  readonly isAfter: (cursor: string, comparison: RawBuilder<unknown>) => RawBuilder<SqlBool>
  /** What a cursor says of a row. */
  readonly cursor: RawBuilder<string>
}

const byId: Order = {
  columns: direction => sql`id ${direction}`,
  isAfter: (cursor, comparison) => sql<SqlBool>`id ${comparison} ${cursor.slice(cursor.indexOf('_') + 1)}`,
  cursor: sql<string>`id`,
}

const byActivity: Order = {
  columns: direction => sql`${lastActivity} ${direction}, id ${direction}`,
  isAfter(cursor, comparison) {
    const [time = '', id] = cursor.split('_')
    if (!id) throwHttpError(400, 'This page belongs to a list in another order')
    // The first condition is the one that an index can use.
    return sql<SqlBool>`${lastActivity} ${comparison}= ${time}
      and (${lastActivity} ${comparison} ${time} or id ${comparison} ${id})`
  },
  cursor: sql<string>`${lastActivity} || '_' || id`,
}

/** The cursor after a message, in the order of a filter. */
export function cursorOf(
  { id, last_activity_at, created_at }: Pick<MessageRow, 'id' | 'last_activity_at' | 'created_at'>,
  { order }: ListFilter,
): string {
  return order === 'activity' ? `${last_activity_at ?? created_at}_${id}` : id
}

async function scan(db: Database, list: List, cursor: Cursor, limit: number): Promise<Chunk> {
  const end = performance.now() + SCAN_TIME
  let { found, next } = await scanChunk(db, list, cursor, limit)
  for (let scanned = CHUNK_SIZE; scanned < MAX_SCANNED; scanned += CHUNK_SIZE) {
    if (next === null || found.length === limit || performance.now() > end) break
    const chunk = await scanChunk(db, list, { ...cursor, from: next }, limit - found.length)
    found = [...found, ...chunk.found]
    next = chunk.next
  }
  return { found, next }
}

/** Finds matches among the next `CHUNK_SIZE` messages. */
async function scanChunk(
  db: Database,
  { conditions, order }: List,
  { from, towards }: Cursor,
  limit: number,
): Promise<Chunk> {
  const [comparison, direction] = towards === 'older' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const isAfter = from === undefined ? sql`true` : order.isAfter(from, comparison)
  const matches = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
  const columns = order.columns(direction)
  const scanned = sql<Found & { next: string; is_match: number }>`(
    select * from (select id, version, ${order.cursor} as next, 1 as is_match
      from (select * from messages where ${isAfter} order by ${columns} limit ${CHUNK_SIZE}) as listed
      where ${matches} order by ${columns} limit ${limit + 1}) as matching
    union all select * from (select id, version, ${order.cursor} as next, 0 as is_match
      from messages where ${isAfter} order by ${columns} limit 1 offset ${CHUNK_SIZE - 1}) as last)`
  const rows = await db
    .selectFrom(scanned.as('scanned'))
    .select(['id', 'version', 'next', 'is_match'])
    .execute()
  const matching = rows.filter(row => row.is_match === 1)
  const found = matching.slice(0, limit).map(({ id, version }) => ({ id, version }))
  if (matching.length > limit) return { found, next: matching[limit - 1]?.next ?? null }
  return { found, next: rows.find(row => row.is_match === 0)?.next ?? null }
}
