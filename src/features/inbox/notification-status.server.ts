import { type SqlBool, sql } from 'kysely'
import { type Clock, isoAfter } from '../../clock.ts'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { type CandidateQuery, type Cursor, orderOf } from './filter.server.ts'

/** Whether the letter that tells staff of this message could not be sent, be it its own or one that tells of many. */
export const hasFailedEmail = sql<SqlBool>`(
  exists (select 1 from outbox where outbox.message_id = listed.id and outbox.state = 'failed')
  or exists (select 1 from digest_items join outbox on outbox.id = digest_items.email_id
    where digest_items.message_id = listed.id and outbox.state = 'failed'))`

/**
 * The messages whose letter could not be sent, from a place on. Letters that tell of many are written one an hour, so
 * those that failed are looked at whole.
 */
export function listWithFailedEmail(db: Database, { from, towards }: Cursor, most: number): CandidateQuery {
  const order = sql.raw(orderOf({ towards }))
  const isBehind =
    from === undefined ? sql`` : sql`and message_id ${sql.raw(towards === 'older' ? '<' : '>')} ${from}`
  const own = sql`select message_id as id from outbox
    where state = 'failed' and message_id is not null ${isBehind} order by message_id ${order} limit ${most}`
  const failed = sql`select id from outbox where state = 'failed' and message_id is null`
  // Otherwise PostgreSQL reads all that was ever gathered: for an `in` as a join, for the order from end to end.
  const isFailed = isPostgres(db) ? sql`email_id = any(array(${failed}))` : sql`email_id in (${failed})`
  const shared = sql`with told as materialized (select message_id from digest_items where ${isFailed} ${isBehind})
    select message_id as id from told order by message_id ${order} limit ${most}`
  return sql`(select id from (select id from (${own}) as own union all select id from (${shared}) as shared) as failed
    order by id ${order} limit ${most})`
}

/**
 * Has the letter that tells of a message sent again, as if it were new: with all its tries before it.
 * @returns whether it had failed.
 */
export async function retryEmail(db: Database, clock: Clock, messageId: string): Promise<boolean> {
  const now = isoAfter(clock)
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'waiting', attempts: 0, due_at: now, created_at: now })
    .where('state', '=', 'failed')
    .where(eb =>
      eb.or([
        eb('message_id', '=', messageId),
        eb('id', 'in', eb.selectFrom('digest_items').select('email_id').where('message_id', '=', messageId)),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
