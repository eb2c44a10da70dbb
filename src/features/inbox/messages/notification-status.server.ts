import { type SqlBool, sql } from 'kysely'
import { inTransaction } from '../../../database/transaction.ts'
import { hours, isoAfter } from '../../../platform/clock.ts'
import { addEvent, lockMessage } from '../history/entries.server.ts'
import type { Store } from './store.server.ts'

/**
 * Whether the email to staff about the row `listed` has failed, its own email or a digest that includes it, or a reply while
 * the message is not closed. Looks each up by the message; a condition on `state` inside would make the engines read all
 * failed emails.
 */
export const hasFailedEmail = sql<SqlBool>`(
  (select state from outbox where outbox.message_id = listed.id and outbox.kind = 'notice' limit 1) = 'failed'
  or (select state from outbox where outbox.id = (
    select email_id from digest_items where digest_items.message_id = listed.id)) = 'failed'
  or (listed.status <> 'closed' and 'failed' in (
    select state from outbox where outbox.message_id = listed.id and outbox.kind = 'reply')))`

/** More than anybody presses after a day without mail, too few to fill a mailbox with a stolen session. */
export const NOTICE_RETRIES_PER_USER = { name: 'notice retries', count: 100, per: hours(1) }

/**
 * Queues the failed email that notifies staff of a message again, with its full number of attempts, and records that.
 * @returns whether the email had failed.
 */
export async function retryEmail({ db, clock }: Store, messageId: string, byId: string): Promise<boolean> {
  const now = isoAfter(clock)
  return await inTransaction(db, async transaction => {
    // First, because a deletion locks the message before its emails.
    if (!(await lockMessage(transaction, messageId))) return false
    const { numUpdatedRows } = await transaction
      .updateTable('outbox')
      .set({ state: 'waiting', attempts: 0, due_at: now, created_at: now })
      .where('state', '=', 'failed')
      .where(eb => {
        const digests = eb.selectFrom('digest_items').select('email_id').where('message_id', '=', messageId)
        return eb.or([eb.and({ message_id: messageId, kind: 'notice' }), eb('id', 'in', digests)])
      })
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await addEvent({ transaction, clock, byId }, messageId, 'retried')
    return numUpdatedRows > 0n
  })
}
