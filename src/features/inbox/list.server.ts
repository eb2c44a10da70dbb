import { type Expression, type SqlBool, sql } from 'kysely'
import { offMainThread } from '../../database/sqlite/off-main-thread.ts'
import type { Database } from '../../database/tables.ts'
import type { MessageFilter } from './contract.ts'
import {
  afterCursor,
  type CandidateQuery,
  type Cursor,
  listFiltered,
  matchesFilter,
  orderOf,
} from './filter.server.ts'
import { hasFailedEmail, listWithFailedEmail } from './notification-status.server.ts'
import { type IndexedText, prepareSearch, readByIndex, type Search } from './search.server.ts'

/** The most hits of an unordered index that are sorted for one page. */
const MAX_HITS = 2000
/** Messages that one query reads: enough for a page of 100 when one in ten matches. */
const CHUNK_SIZE = 1000
/** The first chunk is smaller: when it has few matches, an index finds the rest faster. */
const FIRST_CHUNK_SIZE = 250
/** A search text is common when at least one message in this many has it. */
const COMMON = 100
/** The most chunks that one call reads when no index helps, or an index has more than `MAX_HITS` hits. */
const MAX_CHUNKS = 6

/** The most calls of `findPage` that look for the message next to an open one. */
const MAX_PAGES_FOR_NEXT = 20

/** Consecutive matches of a list, in its order. */
interface Chunk {
  readonly ids: readonly string[]
  /** The id after which to continue; null at the end of the list. */
  readonly next: string | null
}

/** Where candidates for a list come from, and the conditions that a match must meet. */
interface Source {
  list(cursor: Cursor, limit: number): CandidateQuery
  /** The candidates come in order without a sort, so the query can stop as soon as the page is full. */
  readonly isOrdered?: true
  readonly conditions: readonly Expression<SqlBool>[]
}

/**
 * Finds the next `limit` messages that match, or fewer when matches are far apart: each call reads at most a fixed number
 * of messages, and `next` is where the following call continues.
 */
export async function findPage(
  db: Database,
  filter: MessageFilter,
  cursor: Cursor,
  limit: number,
): Promise<Chunk> {
  const { q, letter: emailStatus } = filter
  const search = q === undefined ? null : prepareSearch(db, q)
  // When no message matches the other filters, there is no need to check search hits or failed emails one by one.
  const required = [
    ...((emailStatus || search?.kind === 'ordered') && matchesFilter(filter).length > 0
      ? [allMessages(filter)]
      : []),
    ...(emailStatus && search?.kind === 'ordered' ? [withFailedEmail(db, {})] : []),
  ]
  for (const source of required) if (await isEmpty(db, source, cursor)) return { ids: [], next: null }
  // The time that a text search takes depends on what visitors wrote, so it must not block the main thread.
  if (search) return await offMainThread(() => findText(db, search, filter, cursor, limit))
  return await scanChunk(db, emailStatus ? withFailedEmail(db, filter) : allMessages(filter), cursor, limit)
}

/** The id of the next message of a list; null also when it is too far away to be found in a reasonable time. */
export async function findNext(db: Database, filter: MessageFilter, cursor: Cursor): Promise<string | null> {
  let { from } = cursor
  for (let calls = 0; calls < MAX_PAGES_FOR_NEXT; calls++) {
    const { ids, next } = await findPage(db, filter, { ...cursor, from }, 1)
    if (ids[0] !== undefined || next === null) return ids[0] ?? null
    from = next
  }
  return null
}

async function isEmpty(db: Database, source: Source, cursor: Cursor): Promise<boolean> {
  const { ids } = await scanChunk(db, source, cursor, 1)
  return ids.length === 0
}

function allMessages(filter: MessageFilter): Source {
  return {
    list: (cursor, limit) => listFiltered('id', filter, cursor, limit),
    conditions: [],
  }
}

/** Starts from the failed emails, since they are few, and looks up each of their messages by id. */
function withFailedEmail(
  db: Database,
  filter: MessageFilter,
  matches: readonly Expression<SqlBool>[] = [],
): Source {
  const conditions = [...matchesFilter(filter), ...matches]
  const isOneOf = sql<SqlBool>`(select 1 from messages
    where messages.id = listed.id and ${sql.join(conditions, sql` and `)}) = 1`
  return {
    list: (cursor, limit) => listWithFailedEmail(db, cursor, limit),
    conditions: conditions.length > 0 ? [isOneOf] : [],
  }
}

async function findText(
  db: Database,
  search: Search,
  filter: MessageFilter,
  cursor: Cursor,
  limit: number,
): Promise<Chunk> {
  if (search.kind === 'ordered') {
    const conditions = [...allConditions(filter), ...search.conditions]
    return await scanChunk(db, { list: search.list, isOrdered: true, conditions }, cursor, limit)
  }
  const source: Source = filter.letter
    ? withFailedEmail(db, filter, [search.matches])
    : {
        list: (from, max) => listFiltered('*', filter, from, max),
        conditions: [search.matches],
      }
  const first = await scanChunk(db, source, cursor, limit, FIRST_CHUNK_SIZE)
  const read = async (from: string) => await scanChunk(db, source, { ...cursor, from }, limit)
  if (first.next === null || first.ids.length >= limit) return first
  // A common text fills the page faster by reading on than by collecting all its hits.
  const isCommon = first.ids.length >= FIRST_CHUNK_SIZE / COMMON
  const page = isCommon || !search.index ? null : await pageFromIndex(db, search.index, filter, cursor, limit)
  return page ?? (await scanMore(first, read, limit))
}

/** Reads at most `length` candidates, and stops as soon as the page is full. */
async function scanChunk(
  db: Database,
  source: Source,
  cursor: Cursor,
  limit: number,
  length = CHUNK_SIZE,
): Promise<Chunk> {
  const { list, isOrdered, conditions } = source
  const candidates = conditions.length === 0 ? limit + 1 : length
  const listed = db.selectFrom(list(cursor, candidates).as('listed')).select('listed.id')
  const ordered = isOrdered ? listed : listed.orderBy('listed.id', orderOf(cursor))
  const rows = await ordered
    .where(eb => eb.and([...conditions]))
    .limit(limit + 1)
    .execute()
  const ids = rows.slice(0, limit).map(({ id }) => id)
  if (rows.length > limit) return { ids, next: ids.at(-1) ?? null }
  if (conditions.length === 0) return { ids, next: null }
  const last = await ordered
    .offset(candidates - 1)
    .limit(1)
    .executeTakeFirst()
  return { ids, next: last?.id ?? null }
}

async function scanMore(first: Chunk, read: (from: string) => Promise<Chunk>, limit: number): Promise<Chunk> {
  let { ids, next } = first
  for (let count = 1; count < MAX_CHUNKS && next !== null && ids.length < limit; count++) {
    const chunk = await read(next)
    ids = [...ids, ...chunk.ids]
    next = chunk.next
  }
  if (ids.length <= limit) return { ids, next }
  return { ids: ids.slice(0, limit), next: ids[limit - 1] ?? null }
}

/**
 * Collects all hits of an index and takes the page from those that match.
 * @returns null without the index, or with more than `MAX_HITS` hits.
 */
async function pageFromIndex(
  db: Database,
  index: IndexedText,
  filter: MessageFilter,
  cursor: Cursor,
  limit: number,
): Promise<Chunk | null> {
  const order = sql.raw(orderOf(cursor))
  const conditions = sql.join([...allConditions(filter), ...afterCursor(cursor), sql`true`], sql` and `)
  const found = sql<{ id: string | null; hits: number }>`(
    with hits as materialized (
      select id, form_type, is_read, verification from messages where ${index.isHit} limit ${MAX_HITS + 1}
    ), page as (
      select id from hits as listed where ${conditions} order by id ${order} limit ${limit + 1}
    )
    select id, 0 as hits from page union all select null as id, cast(count(*) as integer) as hits from hits)`
  const rows = await readByIndex(db, index.name, reader =>
    reader.selectFrom(found.as('found')).selectAll().orderBy('id', orderOf(cursor)).execute(),
  )
  if (!rows || rows.some(({ hits }) => hits > MAX_HITS)) return null
  const ids = rows.flatMap(({ id }) => id ?? [])
  return { ids: ids.slice(0, limit), next: ids.length > limit ? (ids[limit - 1] ?? null) : null }
}

/** The SQL conditions of all filters except the search text, for the row `listed`. */
function allConditions(filter: MessageFilter): Expression<SqlBool>[] {
  return [...matchesFilter(filter), ...(filter.letter ? [hasFailedEmail] : [])]
}
