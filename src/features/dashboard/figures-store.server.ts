import { type SqlBool, sql } from 'kysely'
import { countUpTo } from '../../database/count.ts'
import type { Database } from '../../database/tables.ts'
import {
  type Age,
  type Answers,
  MAX_COUNTED,
  MAX_ROWS_COUNTED,
  OVERDUE_LISTED,
  type OverdueMessage,
  PEOPLE_SHOWN,
} from './contract.ts'

/** How many first replies took how many minutes, the shortest first. */
export type ReplyTimes = readonly { readonly minutes: number; readonly count: number }[]

/** How many first replies of each week since `monday` took how many minutes. The index has exactly this, in this order. */
export async function countReplyTimes(db: Database, monday: string): Promise<Map<string, ReplyTimes>> {
  const newest = db
    .selectFrom('messages')
    .select(['first_reply_week as week', 'first_reply_minutes as minutes'])
    .where('first_reply_week', '>=', monday)
    .where(isNoSpam)
    .orderBy('first_reply_week', 'desc')
    .orderBy('first_reply_minutes', 'desc')
    .limit(MAX_ROWS_COUNTED)
  const rows = await db
    .selectFrom(newest.as('newest'))
    .select(['week', 'minutes', eb => eb.fn.countAll().as('count')])
    .groupBy(['week', 'minutes'])
    .execute()
  const weeks = new Map<string, { minutes: number; count: number }[]>()
  for (const { week, minutes, count } of rows) {
    if (week === null || minutes === null) continue
    const times = weeks.get(week) ?? []
    weeks.set(week, times)
    times.push({ minutes, count: Number(count) })
  }
  // Not in SQL: SQLite takes the order of the rows inside for that of the groups.
  for (const times of weeks.values()) times.sort((one, other) => one.minutes - other.minutes)
  return weeks
}

/** In the text, as the indexes have it, or they are not used. */
const isNoSpam = sql<SqlBool>`status <> 'spam'`
const isOpen = sql<SqlBool>`status = 'open'`

export async function countOpen(db: Database, ages: readonly Pick<Age, 'received'>[]): Promise<number[]> {
  const counts: number[] = []
  for (const { received } of ages) {
    const [from = '..', until = '..'] = received.split('/')
    const open = db
      .selectFrom('messages')
      .select('created_at as id')
      .where(isOpen)
      .$if(from !== '..', query => query.where('created_at', '>=', from))
      .$if(until !== '..', query => query.where('created_at', '<', until))
    counts.push(await countUpTo(db, open.limit(MAX_ROWS_COUNTED)))
  }
  return counts
}

/** How many messages each person has answered since then. A reply that failed has answered nobody, nor a call that reached nobody. */
export async function countAnswers(db: Database, since: string): Promise<Answers['people']> {
  const answers = db
    .selectFrom('entries')
    .select(['author_id', 'message_id'])
    .distinct()
    .where(sql<SqlBool>`kind in ('reply', 'call') and (call_outcome is null or call_outcome = 'reached')`)
    .where('created_at', '>=', since)
    .where('author_id', 'is not', null)
    .where('id', 'not in', eb =>
      eb.selectFrom('outbox').select('id').where(sql<SqlBool>`state = 'failed' and kind = 'reply'`),
    )
    .where('message_id', 'not in', eb =>
      eb.selectFrom('messages').select('id').where(sql<SqlBool>`status = 'spam'`),
    )
    .limit(MAX_ROWS_COUNTED)
  const counts = db
    .selectFrom(answers.as('answers'))
    .select(['author_id', eb => eb.fn.countAll().as('count')])
    .groupBy('author_id')
  const rows = await db
    .selectFrom(counts.as('counts'))
    .leftJoin('users', 'users.id', 'counts.author_id')
    .leftJoin('former_users as former', 'former.id', 'counts.author_id')
    .select(['counts.author_id', 'counts.count'])
    .select(eb => eb.fn.coalesce('users.name', 'former.name').as('name'))
    .orderBy('counts.count', 'desc')
    .orderBy('counts.author_id')
    .limit(PEOPLE_SHOWN)
    .execute()
  return rows.map(({ author_id, count, name }) => ({ id: author_id ?? '', name, count: Number(count) }))
}

export async function countOverdue(db: Database, now: Date): Promise<number> {
  return await countUpTo(db, selectOverdue(db, now).select('messages.id').limit(MAX_COUNTED))
}

export async function listOverdue(db: Database, now: Date): Promise<Omit<OverdueMessage, 'lateBy'>[]> {
  const rows = await selectOverdue(db, now)
    .leftJoin('users', 'users.id', 'assignee_id')
    .select([
      'messages.id',
      'messages.name',
      'due_at',
      'assignee_id',
      'users.name as assignee_name',
      'version',
    ])
    .orderBy('due_at')
    .limit(OVERDUE_LISTED)
    .execute()
  return rows.map(({ id, name, due_at, assignee_id, assignee_name, version }) => ({
    ...{ id, name, version, dueAt: due_at ?? '' },
    assignee:
      assignee_id !== null && assignee_name !== null ? { id: assignee_id, name: assignee_name } : null,
  }))
}

/** As the filter `overdue` of the list has it. */
function selectOverdue(db: Database, now: Date) {
  const time = now.toISOString()
  return db
    .selectFrom('messages')
    .where(isOpen)
    .where('due_at', '<=', time)
    .where(eb => eb.or([eb('snoozed_until', 'is', null), eb('snoozed_until', '<=', time)]))
}
