import { sql } from 'kysely'
import { offMainThread } from '../../database/sqlite/off-main-thread.ts'
import type { Database } from '../../database/tables.ts'
import type { MessageFilter } from './contract.ts'
import { type Condition, conditionsOf } from './filter.server.ts'

/** Messages that one statement reads: a few milliseconds' work. */
const CHUNK_SIZE = 1000
/** The most messages that one call reads. */
const MAX_SCANNED = 20_000
/** Milliseconds after which a call reads no other chunk, so that it answers within 50 when texts are long, too. */
const SCAN_TIME = 15

/** Where in a list to start, and in which direction to read. */
export interface Cursor {
  /** The id of a message: the list continues after it. Without one it starts at the newest or the oldest message. */
  readonly from?: string | undefined
  readonly towards: 'older' | 'newer'
}

/** Consecutive matches of a list, in its order. */
interface Chunk {
  readonly ids: readonly string[]
  /** The id after which to continue; null at the end of the list. */
  readonly next: string | null
}

/**
 * Finds the next `limit` messages that match. Reads messages in the order of the list, and at most a fixed number of them:
 * where matches are far apart it returns fewer, perhaps none, and `next` is where the following call continues.
 */
export async function findPage(
  db: Database,
  filter: MessageFilter,
  cursor: Cursor,
  limit: number,
): Promise<Chunk> {
  const conditions = conditionsOf(db, filter)
  if (conditions.length === 0) return await scanChunk(db, conditions, cursor, limit)
  // The time depends on what visitors wrote, so it must not block the main thread.
  return await offMainThread(() => scan(db, conditions, cursor, limit))
}

/** The id of the next message of a list; null also when it is further away than one call reads. */
export async function findNext(db: Database, filter: MessageFilter, cursor: Cursor): Promise<string | null> {
  const { ids } = await findPage(db, filter, cursor, 1)
  return ids[0] ?? null
}

async function scan(
  db: Database,
  conditions: readonly Condition[],
  cursor: Cursor,
  limit: number,
): Promise<Chunk> {
  const end = performance.now() + SCAN_TIME
  let { ids, next } = await scanChunk(db, conditions, cursor, limit)
  for (let scanned = CHUNK_SIZE; scanned < MAX_SCANNED; scanned += CHUNK_SIZE) {
    if (next === null || ids.length === limit || performance.now() > end) break
    const chunk = await scanChunk(db, conditions, { ...cursor, from: next }, limit - ids.length)
    ids = [...ids, ...chunk.ids]
    next = chunk.next
  }
  return { ids, next }
}

/** Finds matches among the next `CHUNK_SIZE` messages. */
async function scanChunk(
  db: Database,
  conditions: readonly Condition[],
  { from, towards }: Cursor,
  limit: number,
): Promise<Chunk> {
  const [comparison, order] = towards === 'older' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const isAfter = from === undefined ? sql`true` : sql`id ${comparison} ${from}`
  const matches = sql.join([sql`true`, ...conditions], sql` and `)
  const scanned = sql<{ id: string; is_match: number }>`(
    select * from (select id, 1 as is_match
      from (select * from messages where ${isAfter} order by id ${order} limit ${CHUNK_SIZE}) as listed
      where ${matches} order by id ${order} limit ${limit + 1}) as matching
    union all select * from (select id, 0 as is_match
      from messages where ${isAfter} order by id ${order} limit 1 offset ${CHUNK_SIZE - 1}) as last)`
  const rows = await db.selectFrom(scanned.as('scanned')).select(['id', 'is_match']).execute()
  const ids = rows.filter(row => row.is_match === 1).map(({ id }) => id)
  if (ids.length > limit) return { ids: ids.slice(0, limit), next: ids[limit - 1] ?? null }
  return { ids, next: rows.find(row => row.is_match === 0)?.id ?? null }
}
