import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { ALWAYS_SCANNED, type Chunk, scan } from '../../../database/paged.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'
import { lastActivity } from '../history/entries.server.ts'
import { findMatching, type Search, searchHit } from '../search/condition.server.ts'
import { parseSearch } from '../search/query.ts'
import type { MessageFilter } from './filter-contract.ts'
import { hasFailedEmail } from './notification-status.server.ts'

/** Messages among which the neighbour of one is always found, also when the machine is busy. */
const NEAR = 1000
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

/** Finds the next `limit` messages that match, in the order of the list. @param atLeast how many it reads even if that takes long */
export async function findPage(
  db: Database,
  filter: ListFilter,
  cursor: Cursor,
  limit: number,
  atLeast = ALWAYS_SCANNED,
): Promise<Chunk<Found>> {
  const found = conditionsOf(filter)
  const { q, status, isUnmerged, isForExport, withSpam, userId } = filter
  const conditions = [
    ...(status || withSpam ? [] : [isNoSpam]),
    ...(q === undefined || isUnmerged ? [isNotMerged] : []),
    ...found,
  ]
  const search = q === undefined ? null : { query: parseSearch(q), hasNotes: !isForExport, userId }
  const list = { db, conditions, search, order: filter.order === 'activity' ? byActivity : byId }
  if (search?.query.length === 0) return { found: [], next: null }
  // Hardly any is left out, and no text is compared.
  if (found.length === 0 && !search)
    return await scanChunk({ ...list, size: atLeast, end: Number.POSITIVE_INFINITY }, cursor, limit)
  return await scan({
    ...{ from: cursor.from, limit, atLeast },
    readChunk: (from, most, limits) => scanChunk({ ...list, ...limits }, { ...cursor, from }, most),
  })
}

/** The id of the next message of a list; null also when it is further away than one call reads. */
export async function findNext(db: Database, filter: ListFilter, cursor: Cursor): Promise<string | null> {
  const { found } = await findPage(db, filter, cursor, 1, NEAR)
  return found[0]?.id ?? null
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

/** What a list has, and how it is sorted and read. */
interface Reading {
  readonly db: Database
  readonly conditions: readonly Condition[]
  readonly search: Search | null
  /** Messages that one statement reads. */
  readonly size: number
  readonly order: Order
  /** Nothing more is read after this time, as `performance.now()` has it. */
  readonly end: number
}

/** A row of a chunk: one that matches, one that is not indexed and may match, or the last one that was read. */
interface Candidate extends Found {
  readonly next: string
  readonly kind: 'match' | 'unindexed' | 'last'
}

/** Finds matches among the next `size` messages. */
async function scanChunk(reading: Reading, cursor: Cursor, limit: number): Promise<Chunk<Found>> {
  const most = reading.search ? Math.max(limit + 1, MIN_CANDIDATES) : limit + 1
  const rows = await readChunk(reading, cursor, most)
  const candidates = rows.filter(({ kind }) => kind !== 'last')
  const found: Found[] = []
  let from = 0
  while (from < candidates.length) {
    const some = await confirm(reading, candidates.slice(from, from + UNINDEXED_AT_ONCE))
    for (const { row, isMatch } of some) {
      from++
      if (isMatch) found.push({ id: row.id, version: row.version })
      if (found.length === limit && from < candidates.length) return { found, next: row.next }
    }
    const isLate = performance.now() > reading.end && some.some(({ row }) => row.kind === 'unindexed')
    if (isLate && from < candidates.length) return { found, next: candidates[from - 1]?.next ?? null }
  }
  if (candidates.length === most) return { found, next: candidates.at(-1)?.next ?? null }
  return { found, next: rows.find(({ kind }) => kind === 'last')?.next ?? null }
}

async function confirm({ db, search }: Reading, rows: readonly Candidate[]) {
  const unindexed = rows.filter(({ kind }) => kind === 'unindexed').map(({ id }) => id)
  const isNeeded = search && unindexed.length > 0
  const matching = isNeeded ? await findMatching(db, unindexed, search) : new Set<string>()
  return rows.map(row => ({ row, isMatch: row.kind === 'match' || matching.has(row.id) }))
}

/** @param most how many of the chunk's candidates are returned, beside its last row */
async function readChunk(
  { db, conditions, search, size, order }: Reading,
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
        from (select * from messages where ${isAfter} order by ${columns} limit ${size}) as listed
        where ${passes}) as compared
      where hit > 0 order by ${columns} limit ${most}) as matching
    union all select * from (select id, version, ${order.cursor} as next, 0 as hit
      from messages where ${isAfter} order by ${columns} limit 1 offset ${size - 1}) as last)`
  const rows = await db.selectFrom(scanned.as('scanned')).select(['id', 'version', 'next', 'hit']).execute()
  return rows.map(({ hit: kind, ...row }) => ({ ...row, kind: kinds[kind] ?? 'last' }))
}

const kinds = ['last', 'match', 'unindexed'] as const

/** A condition that a row of `messages` must meet, which is called `listed` in it. */
type Condition = RawBuilder<SqlBool>

/** The filters of a list, and its order. `me` has been replaced by an id. */
export interface ListFilter extends MessageFilter {
  readonly order?: 'activity' | undefined
  /** Leaves out what is merged, in a search, too. */
  readonly isUnmerged?: true
  /** No word of a note decides what leaves the inbox. */
  readonly isForExport?: true
  /** Spam as well, although no `status` asks for it. */
  readonly withSpam?: 'true' | undefined
  /** What is snoozed or overdue then, as ISO text. */
  readonly now: string
  /** Who asks. */
  readonly userId: string
}

/** The filter of this caller at this moment. */
export function listFilterOf(
  { assignee, ...filter }: MessageFilter & Pick<ListFilter, 'order' | 'withSpam'>,
  userId: string,
  clock: Clock,
): ListFilter {
  return { ...filter, assignee: assignee === 'me' ? userId : assignee, now: isoAfter(clock), userId }
}

/** What every list leaves out unless it is asked for. */
const isNoSpam = sql<SqlBool>`status <> 'spam'`

/**
 * What is merged into a message that exists is shown there. A search also finds it by itself: it has the words that
 * somebody looks for.
 */
export const isNotMerged = sql<SqlBool>`(merged_into is null
  or not exists (select 1 from messages as target where target.id = listed.merged_into))`

/** One condition for each filter that is set, the cheapest first; none when only spam is left out. The search is apart. */
export function conditionsOf(filter: ListFilter): Condition[] {
  const { formType, isRead, verification, letter: emailStatus, status, tag, overdue, snoozed } = filter
  const { following, scheduled, userId } = filter
  const { now, assignee, received, firstReplyWeek, answeredBy, answeredSince = '' } = filter
  return [
    ...(status ? [sql<SqlBool>`status = ${status}`] : []),
    ...(formType ? [sql<SqlBool>`form_type = ${formType}`] : []),
    ...(isRead ? [sql<SqlBool>`is_read = ${isRead === 'true' ? 1 : 0}`] : []),
    ...(assignee ? [isAssignedTo(assignee)] : []),
    ...(snoozed ? [sql<SqlBool>`snoozed_until > ${now}`] : []),
    ...(overdue ? [isOverdue(now)] : []),
    ...(received ? isReceivedIn(received) : []),
    ...(firstReplyWeek ? [sql<SqlBool>`first_reply_week = ${firstReplyWeek}`] : []),
    // The first three characters distinguish `verified`, `off`, `unverified:…` and `suspect:…`.
    ...(verification ? [sql<SqlBool>`substr(verification, 1, 3) = ${verification.slice(0, 3)}`] : []),
    ...(tag
      ? [sql<SqlBool>`exists (select 1 from message_tags where message_id = listed.id and tag = ${tag})`]
      : []),
    ...(following ? [isFollowedBy(userId)] : []),
    ...(scheduled
      ? [sql<SqlBool>`exists (select 1 from scheduled_replies where message_id = listed.id)`]
      : []),
    ...(answeredBy ? [isAnsweredBy(answeredBy, answeredSince)] : []),
    ...(emailStatus ? [hasFailedEmail] : []),
  ]
}

/** Also what is merged into it. */
function isFollowedBy(userId: string) {
  return sql<SqlBool>`exists (select 1 from followers where user_id = ${userId} and (message_id = listed.id
    or message_id in (select id from messages as merged where merged.merged_into = listed.id)))`
}

function isAssignedTo(assignee: string) {
  return assignee === 'none' ? sql<SqlBool>`assignee_id is null` : sql<SqlBool>`assignee_id = ${assignee}`
}

/** While the visitor has to answer, or the message is snoozed, nobody is late. */
export function isOverdue(now: string) {
  return sql<SqlBool>`due_at <= ${now} and status = 'open' and (snoozed_until is null or snoozed_until <= ${now})`
}

/** @param interval as the contract has it, such as `2026-11-16T13:00:00.000Z/..` */
function isReceivedIn(interval: string): Condition[] {
  const [from = '..', until = '..'] = interval.split('/')
  return [
    ...(from === '..' ? [] : [sql<SqlBool>`created_at >= ${from}`]),
    ...(until === '..' ? [] : [sql<SqlBool>`created_at < ${until}`]),
  ]
}

/** By email or by phone. A reply that failed has answered nobody, nor has a call that reached nobody. */
function isAnsweredBy(userId: string, since: string): Condition {
  return sql<SqlBool>`exists (select 1 from entries where message_id = listed.id and kind in ('reply', 'call')
    and (call_outcome is null or call_outcome = 'reached')
    and author_id = ${userId} and created_at >= ${since}
    and not exists (select 1 from outbox where outbox.id = entries.id and state = 'failed'))`
}
