import { type SqlBool, sql } from 'kysely'
import { days as daysLong } from '../../clock.ts'
import { countUpTo } from '../../database/count.ts'
import type { Database } from '../../database/tables.ts'
import { type MessageType, messageTypes } from '../inbox/contract.ts'
import {
  ACCOUNT_EMAILS_COUNT_FOR,
  type Attention,
  type Enquiries,
  MAX_COUNTED,
  MAX_DRAWN,
} from './contract.ts'
import type { Day } from './days.server.ts'

/** What waits for an admin; each figure stands still at a thousand. */
export async function countWaiting(db: Database, now: Date): Promise<Omit<Attention, 'isMailKeptHere'>> {
  const [unread, unverified, suspect, failedLetters, failedAccountLetters] = await Promise.all([
    countUnread(db, sql`true`),
    countUnread(db, isMarked('unv')),
    countUnread(db, isMarked('sus')),
    countFailedEmails(db),
    countFailedAccountEmails(db, now),
  ])
  return {
    unread,
    unverified,
    suspect,
    failedEmails: failedLetters,
    failedAccountEmails: failedAccountLetters,
  }
}

/** Word for word the expression of the index, or it is not used. */
const isMarked = (beginning: 'unv' | 'sus') => sql<SqlBool>`substr(verification, 1, 3) = ${beginning}`

/** Type by type, because the index over several filters wants a value for each. */
async function countUnread(db: Database, condition: ReturnType<typeof isMarked>): Promise<number> {
  const counts = messageTypes.map(type =>
    countUpTo(
      db,
      db
        .selectFrom('messages')
        .select('id')
        .where('form_type', '=', type)
        .where('is_read', '=', 0)
        .where(condition)
        .limit(MAX_COUNTED),
    ),
  )
  const all = await Promise.all(counts)
  return Math.min(
    all.reduce((sum, count) => sum + count, 0),
    MAX_COUNTED,
  )
}

/** Messages whose letter failed, be it their own or one that tells of many. */
async function countFailedEmails(db: Database): Promise<number> {
  const failed = db.selectFrom('outbox').where('outbox.state', '=', 'failed')
  const [own, shared] = await Promise.all([
    countUpTo(db, failed.select('outbox.id').where('message_id', 'is not', null).limit(MAX_COUNTED)),
    countUpTo(
      db,
      failed
        .innerJoin('digest_items', 'digest_items.email_id', 'outbox.id')
        .select('digest_items.message_id as id')
        .limit(MAX_COUNTED),
    ),
  ])
  return Math.min(own + shared, MAX_COUNTED)
}

/** Those that are about no message, and whose last try was a short while ago. */
async function countFailedAccountEmails(db: Database, now: Date): Promise<number> {
  const since = new Date(now.getTime() - daysLong(ACCOUNT_EMAILS_COUNT_FOR)).toISOString()
  return await countUpTo(
    db,
    db
      .selectFrom('outbox')
      .select('outbox.id')
      .where('outbox.state', '=', 'failed')
      .where('outbox.message_id', 'is', null)
      .where('outbox.due_at', '>=', since)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('digest_items')
              .select('digest_items.email_id')
              .whereRef('digest_items.email_id', '=', 'outbox.id'),
          ),
        ),
      )
      .limit(MAX_COUNTED),
  )
}

/** How many came on each day, by type. Days that would need more than the newest `MOST_PICTURED` are left out. */
export async function countByDay(db: Database, days: readonly Day[]): Promise<Enquiries['days']> {
  const first = days[0]?.since ?? ''
  const tooFar = await db
    .selectFrom('messages')
    .select('created_at')
    .where('created_at', '>=', first)
    .orderBy('created_at', 'desc')
    .limit(1)
    .offset(MAX_DRAWN)
    .executeTakeFirst()
  const counted = days.filter(({ since }) => !tooFar || since > tooFar.created_at)
  if (counted.length === 0) return []
  const rows = await selectCounts(db, counted).execute()
  return counted.map(({ date }) => ({ date, counts: countsOf(rows.filter(row => row.date === date)) }))
}

function selectCounts(db: Database, days: readonly Day[]) {
  const values = sql.join(days.map(({ date, since, until }) => sql`(${date}, ${since}, ${until})`))
  // Both engines call the columns of a list of values so.
  const listed = sql<{ column1: string; column2: string; column3: string }>`(values ${values})`
  return db
    .selectFrom(listed.as('day'))
    .innerJoin('messages', join =>
      join.onRef('messages.created_at', '>=', 'day.column2').onRef('messages.created_at', '<', 'day.column3'),
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
  }
}
