import { type SqlBool, sql } from 'kysely'
import { type Clock, isoAfter } from '../../clock.ts'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { type CandidateQuery, type Cursor, orderOf } from './filter.server.ts'

/** Whether the email to staff about the row `listed` has failed: its own email, or a digest that includes it. */
export const hasFailedEmail = sql<SqlBool>`(
  exists (select 1 from outbox where outbox.message_id = listed.id and outbox.kind = 'notice' and outbox.state = 'failed')
  or exists (select 1 from digest_items join outbox on outbox.id = digest_items.email_id
    where digest_items.message_id = listed.id and outbox.state = 'failed'))`

/**
 * At most `limit` messages after the cursor whose email to staff has failed. Digests are written at most once an hour, so
 * few of them fail, and those are read completely.
 */
export function listWithFailedEmail(db: Database, { from, towards }: Cursor, limit: number): CandidateQuery {
  const order = sql.raw(orderOf({ towards }))
  const isAfter =
    from === undefined ? sql`` : sql`and message_id ${sql.raw(towards === 'older' ? '<' : '>')} ${from}`
  const own = sql`select message_id as id from outbox
    where state = 'failed' and kind = 'notice' ${isAfter} order by message_id ${order} limit ${limit}`
  const failed = sql`select id from outbox where state = 'failed' and kind = 'digest'`
  // With `in` or an `order by` in the same query, PostgreSQL reads every digest item there has ever been.
  const isFailed = isPostgres(db) ? sql`email_id = any(array(${failed}))` : sql`email_id in (${failed})`
  const shared = sql`with items as materialized (select message_id from digest_items where ${isFailed} ${isAfter})
    select message_id as id from items order by message_id ${order} limit ${limit}`
  return sql`(select id from (select id from (${own}) as own union all select id from (${shared}) as shared) as failed
    order by id ${order} limit ${limit})`
}

/**
 * Queues the failed email that notifies staff of a message again, with its full number of attempts.
 * @returns whether the email had failed.
 */
export async function retryEmail(db: Database, clock: Clock, messageId: string): Promise<boolean> {
  const now = isoAfter(clock)
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'waiting', attempts: 0, due_at: now, created_at: now })
    .where('state', '=', 'failed')
    .where(eb =>
      eb.or([
        eb.and({ message_id: messageId, kind: 'notice' }),
        eb('id', 'in', eb.selectFrom('digest_items').select('email_id').where('message_id', '=', messageId)),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
