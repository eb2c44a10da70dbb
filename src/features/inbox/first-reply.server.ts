import { weekIn, wholeMinutes } from '../../clock.ts'
import { officeOf } from '../../content/office.ts'
import type { ContentStore } from '../../content/store.server.ts'
import { workingTimeBetween } from '../../content/working-time.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import { reached } from './entries.server.ts'

/**
 * Stores when a message got its first reply, by email or by phone, after one was added, taken back, given up or queued again.
 * Time is working time of the office by its present hours; what is stored does not change with later ones. Decision 047.
 * @param failedId a reply that is being given up
 */
export async function updateFirstReply(
  content: Pick<ContentStore, 'read'>,
  transaction: Database,
  { id, created_at }: Pick<MessageRow, 'id' | 'created_at'>,
  failedId = '',
): Promise<void> {
  const time = await findFirstReply(transaction, id, failedId)
  const office = officeOf(content.read().site)
  const change = time
    ? {
        first_reply_week: weekIn(time, office.timeZone),
        first_reply_minutes: wholeMinutes(workingTimeBetween(office, new Date(created_at), time)),
      }
    : { first_reply_week: null, first_reply_minutes: null }
  await transaction.updateTable('messages').set(change).where('id', '=', id).execute()
}

/** When the first reply that did not fail was written, or queued again. */
async function findFirstReply(db: Database, messageId: string, failedId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('entries')
    .leftJoin('outbox', 'outbox.id', 'entries.id')
    .select(eb => eb.fn.min(eb.fn.coalesce('outbox.created_at', 'entries.created_at')).as('time'))
    .where('entries.message_id', '=', messageId)
    .where('entries.kind', 'in', ['reply', 'call'])
    .where(reached('entries.call_outcome'))
    .where('entries.id', '!=', failedId)
    .where(eb => eb(eb.fn.coalesce('outbox.state', eb.val('sent')), '!=', 'failed'))
    .executeTakeFirst()
  return row?.time ? new Date(row.time) : null
}
