import { type SqlBool, sql } from 'kysely'
import { countUpTo } from '../../database/count.ts'
import type { Database } from '../../database/tables.ts'
import { dateIn, days as daysLong, wallClock } from '../../platform/clock.ts'
import { EXCERPT_LENGTH, type MessageType } from '../inbox/contract.ts'
import {
  ACCOUNT_EMAILS_COUNT_FOR,
  type Attention,
  type Enquiries,
  MAX_COUNTED,
  MAX_DRAWN,
  NEWEST_LISTED,
  type UnreadMessage,
} from './contract.ts'

/** Counts what needs an admin's attention; each figure up to `MAX_COUNTED`. */
export async function countAttention(
  db: Database,
  now: Date,
): Promise<Omit<Attention, 'isMailKeptHere' | 'fileSpace' | 'erasures'>> {
  const [unread, unverified, suspect, failedEmails, failedAccountEmails] = await Promise.all([
    countUnread(db, sql`true`),
    countUnread(db, hasVerification('unv')),
    countUnread(db, hasVerification('sus')),
    countFailedEmails(db),
    countFailedAccountEmails(db, now),
  ])
  return {
    unread,
    unverified,
    suspect,
    failedEmails,
    failedAccountEmails,
  }
}

/** Requests to be erased that nobody has decided, and the message in which the oldest is answered. */
export async function readErasures(db: Database): Promise<NonNullable<Attention['erasures']>> {
  const waiting = db
    .selectFrom('erasure_requests')
    .innerJoin('messages', 'messages.id', 'erasure_requests.message_id')
    .where('refused_at', 'is', null)
    .where('messages.status', '!=', 'spam')
  const [count, first] = await Promise.all([
    countUpTo(db, waiting.select('messages.id').limit(MAX_COUNTED)),
    waiting
      .select(eb => eb.fn.coalesce('messages.merged_into', 'messages.id').as('id'))
      .orderBy('requested_at')
      .limit(1)
      .executeTakeFirst(),
  ])
  return { count, firstId: first?.id ?? null }
}

const NO_SPAM = ['open', 'waiting', 'closed'] as const

/** Must repeat the expression of the index exactly, or it is not used. */
const hasVerification = (prefix: 'unv' | 'sus') => sql<SqlBool>`substr(verification, 1, 3) = ${prefix}`

async function countUnread(db: Database, condition: ReturnType<typeof hasVerification>): Promise<number> {
  const unread = db
    .selectFrom('messages')
    .select('id')
    .where('is_read', '=', 0)
    // The index has the status next.
    .where('status', 'in', NO_SPAM)
  return await countUpTo(db, unread.where(condition).limit(MAX_COUNTED))
}

/** Characters of a message that are read for its excerpt, some of which may be spaces and line breaks that are left out. */
const EXCERPT_READ = 3 * EXCERPT_LENGTH

/** With the values in the text, as the index has them, or it is not used. */
const isUnread = sql<SqlBool>`is_read = 0 and status <> 'spam'`

export async function listNewestUnread(db: Database): Promise<UnreadMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .select([
      'id',
      'name',
      'form_type',
      'created_at',
      sql<string>`substr(message, 1, ${EXCERPT_READ})`.as('start'),
    ])
    .where(isUnread)
    .orderBy('id', 'desc')
    .limit(NEWEST_LISTED)
    .execute()
  return rows.map(({ id, name, form_type, created_at, start }) => {
    return { id, name, formType: form_type, excerpt: toExcerpt(start), createdAt: created_at }
  })
}

/** The beginning of a text on one line, cut between characters. */
function toExcerpt(text: string): string {
  const line = [...text.replace(/\s+/gu, ' ').trim()]
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH - 1).join('')}…` : line.join('')
}

/** Counts messages whose email to staff failed, their own email or a digest that includes them, and replies that failed. */
async function countFailedEmails(db: Database): Promise<number> {
  const failed = db.selectFrom('outbox').where('outbox.state', '=', 'failed')
  const ofMessages = failed
    .innerJoin('messages', 'messages.id', 'outbox.message_id')
    .where('messages.status', '!=', 'spam')
  const [own, shared] = await Promise.all([
    countUpTo(
      db,
      ofMessages
        .select('messages.id')
        .distinct()
        .where(eb =>
          eb.or([
            eb('outbox.kind', '=', 'notice'),
            eb.and([eb('outbox.kind', '=', 'reply'), eb('messages.status', '!=', 'closed')]),
          ]),
        )
        .limit(MAX_COUNTED),
    ),
    countUpTo(
      db,
      failed
        .innerJoin('digest_items', 'digest_items.email_id', 'outbox.id')
        .innerJoin('messages', 'messages.id', 'digest_items.message_id')
        .where('messages.status', '!=', 'spam')
        .select('digest_items.message_id as id')
        .limit(MAX_COUNTED),
    ),
  ])
  return Math.min(own + shared, MAX_COUNTED)
}

/** Counts failed emails about accounts, by the date of their last attempt. */
async function countFailedAccountEmails(db: Database, now: Date): Promise<number> {
  const since = new Date(now.getTime() - daysLong(ACCOUNT_EMAILS_COUNT_FOR)).toISOString()
  return await countUpTo(
    db,
    db
      .selectFrom('outbox')
      .select('outbox.id')
      .where('outbox.state', '=', 'failed')
      .where('outbox.kind', '=', 'account')
      .where('outbox.due_at', '>=', since)
      .limit(MAX_COUNTED),
  )
}

/** Counts the enquiries of each day by type, without spam. Leaves out days that would need more than the newest `MAX_DRAWN` enquiries. */
export async function countByDay(db: Database, days: readonly Day[]): Promise<Enquiries['days']> {
  const first = days[0]?.since ?? ''
  const oldestLeftOut = await db
    .selectFrom('messages')
    .select('created_at')
    .where('created_at', '>=', first)
    .orderBy('created_at', 'desc')
    .limit(1)
    .offset(MAX_DRAWN)
    .executeTakeFirst()
  const countedDays = days.filter(({ since }) => !oldestLeftOut || since > oldestLeftOut.created_at)
  if (countedDays.length === 0) return []
  const rows = await selectCounts(db, countedDays).execute()
  return countedDays.map(({ date, since, until }) => ({
    date,
    received: `${since}/${until}`,
    counts: countsOf(rows.filter(row => row.date === date)),
  }))
}

function selectCounts(db: Database, days: readonly Day[]) {
  const values = sql.join(days.map(({ date, since, until }) => sql`(${date}, ${since}, ${until})`))
  // Both engines give the columns of a `values` list these names.
  const listed = sql<{ column1: string; column2: string; column3: string }>`(values ${values})`
  return db
    .selectFrom(listed.as('day'))
    .innerJoin('messages', join =>
      join
        .onRef('messages.created_at', '>=', 'day.column2')
        .onRef('messages.created_at', '<', 'day.column3')
        .on('messages.status', '!=', 'spam'),
    )
    .select(['day.column1 as date', 'messages.form_type', eb => eb.fn.countAll().as('count')])
    .groupBy(['day.column1', 'messages.form_type'])
}

function countsOf(rows: readonly { form_type: MessageType; count: string | number | bigint }[]) {
  const countOf = (type: MessageType) => Number(rows.find(row => row.form_type === type)?.count ?? 0)
  return {
    contact: countOf('contact'),
    tracking: countOf('tracking'),
    'visa-assessment': countOf('visa-assessment'),
    auth: countOf('auth'),
    email: countOf('email'),
  }
}

/** A calendar day in the office's time zone: its start and its end (exclusive) in UTC, as ISO text. */
interface Day {
  readonly date: string
  readonly since: string
  readonly until: string
}

/** The last `count` days in a time zone, up to and including today. A day may have 23 or 25 hours. */
export function lastDays(now: Date, count: number, timeZone: string): Day[] {
  const today = dateIn(now, timeZone)
  const dates = Array.from({ length: count + 1 }, (_, ago) => shift(today, 1 - ago)).reverse()
  const starts = dates.map(date => startOf(date, timeZone).toISOString())
  return dates.slice(0, count).map((date, at) => ({
    date,
    since: starts[at] ?? '',
    until: starts[at + 1] ?? '',
  }))
}

/** The date some days later; time zones do not matter here. */
function shift(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/** Midnight in a time zone. The offset is read twice, since daylight saving may change between UTC midnight and there. */
function startOf(date: string, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const first = midnight - offsetAt(new Date(midnight), timeZone)
  return new Date(midnight - offsetAt(new Date(first), timeZone))
}

/** Milliseconds by which a time zone is ahead of UTC at a moment. */
function offsetAt(moment: Date, timeZone: string): number {
  return Date.parse(`${wallClock(moment, timeZone)}Z`) - moment.getTime()
}
