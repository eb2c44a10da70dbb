import { sql } from 'kysely'
import { offMainThread } from '../../database/sqlite/off-main-thread.ts'
import type { Database } from '../../database/tables.ts'
import { isOverdue } from './filter.server.ts'
import { MAX_UNREAD_COUNTED, type ViewCounts } from './filter-contract.ts'

/** Messages of a status that are read to count them: a few milliseconds' work, however many there are. */
const MAX_READ = 2000

/** Counts the messages of each view, as one member of staff sees them. @param now as ISO text */
export async function countViews(db: Database, userId: string, now: string): Promise<ViewCounts> {
  const select = sql<Record<keyof ViewCounts, number | string | null>>`select
    ${count(sql`status = 'open'`)} as open,
    ${count(sql`status = 'open' and assignee_id = ${userId}`)} as mine,
    ${count(sql`status = 'open' and assignee_id is null`)} as nobody,
    ${count(isOverdue(now))} as overdue,
    ${count(sql`status = 'waiting'`)} as waiting,
    ${count(sql`snoozed_until > ${now}`)} as snoozed,
    ${count(sql`status = 'spam'`)} as spam
    from (${some('open')} union all ${some('waiting')} union all ${some('spam')}) as counted`
  const { rows } = await offMainThread(() => select.execute(db))
  const read = (name: Exclude<keyof ViewCounts, 'isPartial'>) => Number(rows[0]?.[name] ?? 0)
  const upTo = (name: Parameters<typeof read>[0]) => Math.min(read(name), MAX_UNREAD_COUNTED)
  return {
    open: upTo('open'),
    mine: upTo('mine'),
    nobody: upTo('nobody'),
    overdue: upTo('overdue'),
    waiting: upTo('waiting'),
    snoozed: upTo('snoozed'),
    spam: upTo('spam'),
    isPartial: Math.max(read('open'), read('waiting')) >= MAX_READ,
  }
}

const count = (condition: ReturnType<typeof isOverdue>) => sql`sum(case when ${condition} then 1 else 0 end)`

/** An index has first whether a message was read, then its status. */
const some = (status: 'open' | 'waiting' | 'spam') => sql`select * from (
  select status, assignee_id, due_at, snoozed_until from messages
  where is_read in (0, 1) and status = ${status} limit ${MAX_READ}) as ${sql.ref(status)}`
