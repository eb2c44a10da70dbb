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

/** Hits that an index gives in no order and that are then sorted, at most. */
const MAX_HITS = 2000
/** So many messages are looked at in one go: enough for a page when one in ten fits. */
const CHUNK_SIZE = 1000
/** The first of several is shorter: what is rare is sooner found by an index. */
const FIRST_CHUNK_SIZE = 250
/** A text is common when one message in so many has it. */
const COMMON = 100
/** So many stretches are read where an index cannot help, or gives more hits than can be sorted. */
const MAX_CHUNKS = 6

/** Calls for the message next to one. */
const MAX_CALLS = 20

/** Some messages of a list in its order. */
interface Chunk {
  readonly ids: readonly string[]
  /** From where to look on; null at the end. */
  readonly next: string | null
}

/** Where messages of a list come from, and what those that belong to it have to fulfil. */
interface Source {
  list(place: Cursor, most: number): CandidateQuery
  /** What is listed comes in its order without being sorted, so no more is looked at than a page needs. */
  readonly isInOrder?: true
  readonly conditions: readonly Expression<SqlBool>[]
}

/**
 * The next `wanted` messages of a list, or fewer when they are far apart: no call reads more than a fixed number of
 * messages, and `next` says where the one after it goes on.
 */
export async function findPage(
  db: Database,
  filter: MessageFilter,
  place: Cursor,
  wanted: number,
): Promise<Chunk> {
  const { q, letter } = filter
  const search = q === undefined ? null : prepareSearch(db, q)
  // Hits of an index, or letters, that all fail the filters would be looked at in vain.
  const others = [
    ...((letter || search?.kind === 'in order') && matchesFilter(filter).length > 0 ? [all(filter)] : []),
    ...(letter && search?.kind === 'in order' ? [withFailedEmail(db, {})] : []),
  ]
  for (const source of others) if (await isEmpty(db, source, place)) return { ids: [], next: null }
  // How long a text is looked for depends on what visitors wrote.
  if (search) return await offMainThread(() => findText(db, search, filter, place, wanted))
  return await scanChunk(db, letter ? withFailedEmail(db, filter) : all(filter), place, wanted)
}

/** The id of the next message of a list; null also where it is further than anybody waits for. */
export async function findNext(db: Database, filter: MessageFilter, place: Cursor): Promise<string | null> {
  let from = place.from
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const { ids, next } = await findPage(db, filter, { ...place, from }, 1)
    if (ids[0] !== undefined || next === null) return ids[0] ?? null
    from = next
  }
  return null
}

async function isEmpty(db: Database, source: Source, place: Cursor): Promise<boolean> {
  const { ids } = await scanChunk(db, source, place, 1)
  return ids.length === 0
}

function all(filter: MessageFilter): Source {
  return {
    list: (place, most) => listFiltered('id', filter, place, most),
    conditions: [],
  }
}

/** Failed letters are few, so they are where to begin; each message is then looked at by its id. */
function withFailedEmail(
  db: Database,
  filter: MessageFilter,
  matches: readonly Expression<SqlBool>[] = [],
): Source {
  const conditions = [...matchesFilter(filter), ...matches]
  const isOneOf = sql<SqlBool>`(select 1 from messages
    where messages.id = listed.id and ${sql.join(conditions, sql` and `)}) = 1`
  return {
    list: (place, most) => listWithFailedEmail(db, place, most),
    conditions: conditions.length > 0 ? [isOneOf] : [],
  }
}

async function findText(
  db: Database,
  search: Search,
  filter: MessageFilter,
  place: Cursor,
  wanted: number,
): Promise<Chunk> {
  if (search.kind === 'in order') {
    const conditions = [...matches(filter), ...search.conditions]
    return await scanChunk(db, { list: search.list, isInOrder: true, conditions }, place, wanted)
  }
  const source: Source = filter.letter
    ? withFailedEmail(db, filter, [search.matches])
    : {
        list: (from, most) => listFiltered('*', filter, from, most),
        conditions: [search.matches],
      }
  const first = await scanChunk(db, source, place, wanted, FIRST_CHUNK_SIZE)
  const read = async (from: string) => await scanChunk(db, source, { ...place, from }, wanted)
  if (first.next === null || first.ids.length >= wanted) return first
  // Then reading on is sooner done than gathering all hits.
  const isCommon = first.ids.length >= FIRST_CHUNK_SIZE / COMMON
  const page = isCommon || !search.index ? null : await pageFromIndex(db, search.index, filter, place, wanted)
  return page ?? (await scanMore(first, read, wanted))
}

/** Looks at no more than a stretch, and ends as soon as there is a page. */
async function scanChunk(
  db: Database,
  source: Source,
  place: Cursor,
  wanted: number,
  length = CHUNK_SIZE,
): Promise<Chunk> {
  const { list, isInOrder, conditions } = source
  const most = conditions.length === 0 ? wanted + 1 : length
  const listed = db.selectFrom(list(place, most).as('listed')).select('listed.id')
  const inOrder = isInOrder ? listed : listed.orderBy('listed.id', orderOf(place))
  const rows = await inOrder
    .where(eb => eb.and([...conditions]))
    .limit(wanted + 1)
    .execute()
  const ids = rows.slice(0, wanted).map(({ id }) => id)
  if (rows.length > wanted) return { ids, next: ids.at(-1) ?? null }
  if (conditions.length === 0) return { ids, next: null }
  const last = await inOrder
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst()
  return { ids, next: last?.id ?? null }
}

async function scanMore(
  first: Chunk,
  read: (from: string) => Promise<Chunk>,
  wanted: number,
): Promise<Chunk> {
  let { ids, next } = first
  for (let count = 1; count < MAX_CHUNKS && next !== null && ids.length < wanted; count++) {
    const chunk = await read(next)
    ids = [...ids, ...chunk.ids]
    next = chunk.next
  }
  if (ids.length <= wanted) return { ids, next }
  return { ids: ids.slice(0, wanted), next: ids[wanted - 1] ?? null }
}

/** All hits at once, and the page cut out of those that fit; null without the index, or with too many hits. */
async function pageFromIndex(
  db: Database,
  index: IndexedText,
  filter: MessageFilter,
  place: Cursor,
  wanted: number,
): Promise<Chunk | null> {
  const order = sql.raw(orderOf(place))
  const conditions = sql.join([...matches(filter), ...afterCursor(place), sql`true`], sql` and `)
  const found = sql<{ id: string | null; hits: number }>`(
    with hits as materialized (
      select id, form_type, is_read, verification from messages where ${index.isHit} limit ${MAX_HITS + 1}
    ), page as (
      select id from hits as listed where ${conditions} order by id ${order} limit ${wanted + 1}
    )
    select id, 0 as hits from page union all select null as id, cast(count(*) as integer) as hits from hits)`
  const rows = await readByIndex(db, index.name, reader =>
    reader.selectFrom(found.as('found')).selectAll().orderBy('id', orderOf(place)).execute(),
  )
  if (!rows || rows.some(({ hits }) => hits > MAX_HITS)) return null
  const ids = rows.flatMap(({ id }) => id ?? [])
  return { ids: ids.slice(0, wanted), next: ids.length > wanted ? (ids[wanted - 1] ?? null) : null }
}

/** The conditions of all filters but the text on a message that is `listed`. */
function matches(filter: MessageFilter): Expression<SqlBool>[] {
  return [...matchesFilter(filter), ...(filter.letter ? [hasFailedEmail] : [])]
}
