import { type Clock, isoAfter } from '../../clock.ts'
import type { Database } from '../../database/tables.ts'

/** Message-IDs that a reply may name; those that do not fit into the header are left out again. */
const MAX_LISTED = 100

/** The Message-IDs of a conversation, which may be several messages; oldest first. */
export async function listMailIds(db: Database, messageIds: readonly string[]): Promise<string[]> {
  const select = db.selectFrom('mail_ids').select('mail_id').where('message_id', 'in', messageIds)
  const [first, newest] = await Promise.all([
    select.orderBy('created_at').orderBy('mail_id').limit(1).execute(),
    select.orderBy('created_at', 'desc').orderBy('mail_id', 'desc').limit(MAX_LISTED).execute(),
  ])
  return [...new Set([...first, ...newest.toReversed()].map(({ mail_id }) => mail_id))]
}

export async function addMailId(
  transaction: Database,
  clock: Clock,
  { mailId, messageId, entryId }: { mailId: string; messageId: string; entryId: string },
): Promise<void> {
  const row = { mail_id: mailId, message_id: messageId, entry_id: entryId, created_at: isoAfter(clock) }
  await transaction.insertInto('mail_ids').values(row).execute()
}

/** Forgets the Message-ID of an email that is never sent. */
export async function deleteMailId(
  transaction: Database,
  { messageId, entryId }: { messageId: string; entryId: string },
): Promise<void> {
  await transaction
    .deleteFrom('mail_ids')
    .where('message_id', '=', messageId)
    .where('entry_id', '=', entryId)
    .execute()
}
