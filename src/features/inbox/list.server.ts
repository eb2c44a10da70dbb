import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { offMainThread } from '../../database/sqlite/off-main-thread.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { lastActivity } from './entries.server.ts'
import { type Condition, conditionsOf, isNoSpam, isNotMerged, type ListFilter } from './filter.server.ts'
import { findMatching, type Search, searchHit } from './search/condition.server.ts'
import { parseSearch } from './search/query.ts'

/** Messages that one statement reads: a few milliseconds' work. */
const CHUNK_SIZE = 1000
/** The most messages that one call reads. */
const MAX_SCANNED = 20_000
/** Milliseconds after which a call reads no other chunk, so that it answers within 50 when texts are long, too. */
const SCAN_TIME = 15
/** Messages that are not indexed yet and are prepared for a search at a time: a few milliseconds' work. */
const UNINDEXED_AT_ONCE = 50
/** Messages that one statement returns when it does not know of all of them whether they match. */
const MIN_CANDIDATES = 200

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
  const found = conditionsOf(filter)
  const { q, status, isUnmerged, isForExport, withSpam } = filter
  const conditions = [
    ...(status || withSpam ? [] : [isNoSpam]),
    ...(q === undefined || isUnmerged ? [isNotMerged] : []),
    ...found,
  ]
  const search = q === undefined ? null : { query: parseSearch(q), hasNotes: !isForExport }
  const list = { conditions, search, order: filter.order === 'activity' ? byActivity : byId }
  if (search?.query.length === 0) return { found: [], next: null }
  const work = { db, list, cursor, limit, end: performance.now() + SCAN_TIME }
  if (found.length === 0 && !search) return await scanChunk(work, cursor, limit)
  // The time depends on what visitors wrote, so it must not block the main thread.
  return await offMainThread(() => scan(work))
}

/** The id of the next message of a list; null also when it is further away than one call reads. */
export async function findNext(db: Database, filter: ListFilter, cursor: Cursor): Promise<string | null> {
  const { found } = await findPage(db, filter, cursor, 1)
  return found[0]?.id ?? null
}

/** What a list has and how it is sorted. */
interface List {
  readonly conditions: readonly Condition[]
  readonly search: Search | null
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

interface Work {
  readonly db: Database
  readonly list: List
  readonly cursor: Cursor
  readonly limit: number
  /** Nothing more is read after this time, as `performance.now()` has it. */
  readonly end: number
}

async function scan(work: Work): Promise<Chunk> {
  const { cursor, limit, end } = work
  let { found, next } = await scanChunk(work, cursor, limit)
  for (let scanned = CHUNK_SIZE; scanned < MAX_SCANNED; scanned += CHUNK_SIZE) {
    if (next === null || found.length === limit || performance.now() > end) break
    const chunk = await scanChunk(work, { ...cursor, from: next }, limit - found.length)
    found = [...found, ...chunk.found]
    next = chunk.next
  }
  return { found, next }
}

/** A row of a chunk: one that matches, one that is not indexed and may match, or the last one that was read. */
interface Candidate extends Found {
  readonly next: string
  readonly kind: 'match' | 'unindexed' | 'last'
}

/** Finds matches among the next `CHUNK_SIZE` messages. */
async function scanChunk(work: Work, cursor: Cursor, limit: number): Promise<Chunk> {
  const most = work.list.search ? Math.max(limit + 1, MIN_CANDIDATES) : limit + 1
  const rows = await readChunk(work, cursor, most)
  const candidates = rows.filter(({ kind }) => kind !== 'last')
  const found: Found[] = []
  let from = 0
  while (from < candidates.length) {
    const some = await confirm(work, candidates.slice(from, from + UNINDEXED_AT_ONCE))
    for (const { row, isMatch } of some) {
      from++
      if (isMatch) found.push({ id: row.id, version: row.version })
      if (found.length === limit && from < candidates.length) return { found, next: row.next }
    }
    const isLate = performance.now() > work.end && some.some(({ row }) => row.kind === 'unindexed')
    if (isLate && from < candidates.length) return { found, next: candidates[from - 1]?.next ?? null }
  }
  if (candidates.length === most) return { found, next: candidates.at(-1)?.next ?? null }
  return { found, next: rows.find(({ kind }) => kind === 'last')?.next ?? null }
}

async function confirm({ db, list }: Work, rows: readonly Candidate[]) {
  const unindexed = rows.filter(({ kind }) => kind === 'unindexed').map(({ id }) => id)
  const matching =
    list.search && unindexed.length > 0 ? await findMatching(db, unindexed, list.search) : new Set<string>()
  return rows.map(row => ({ row, isMatch: row.kind === 'match' || matching.has(row.id) }))
}

/** @param most how many of the chunk's candidates are returned, beside its last row */
async function readChunk(
  { db, list: { conditions, search, order } }: Work,
  { from, towards }: Cursor,
  most: number,
): Promise<Candidate[]> {
  const [comparison, direction] = towards === 'older' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const isAfter = from === undefined ? sql`true` : order.isAfter(from, comparison)
  const passes = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
  const columns = order.columns(direction)
  const hit = search ? searchHit(db, search) : sql<number>`1`
  const scanned = sql<Found & { next: string; hit: number }>`(
    select * from (select id, version, next, hit from (
        select listed.*, ${order.cursor} as next, ${hit} as hit
        from (select * from messages where ${isAfter} order by ${columns} limit ${CHUNK_SIZE}) as listed
        where ${passes}) as compared
      where hit > 0 order by ${columns} limit ${most}) as matching
    union all select * from (select id, version, ${order.cursor} as next, 0 as hit
      from messages where ${isAfter} order by ${columns} limit 1 offset ${CHUNK_SIZE - 1}) as last)`
  const rows = await db.selectFrom(scanned.as('scanned')).select(['id', 'version', 'next', 'hit']).execute()
  return rows.map(({ hit: kind, ...row }) => ({ ...row, kind: kinds[kind] ?? 'last' }))
}

const kinds = ['last', 'match', 'unindexed'] as const
