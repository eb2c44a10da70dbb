import { type Clock, isoAfter } from '../../clock.ts'
import type { Database, MessageRow } from '../../database/tables.ts'

/** Gives a message that is locked another status, as one of its changes. */
export async function setStatus(
  transaction: Database,
  clock: Clock,
  { id, version }: Pick<MessageRow, 'id' | 'version'>,
  status: MessageRow['status'],
): Promise<void> {
  await transaction
    .updateTable('messages')
    .set({ status, status_since: isoAfter(clock), version: version + 1 })
    .where('id', '=', id)
    .execute()
}
