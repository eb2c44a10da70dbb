import type { Clock } from '../../clock.ts'
import type { Transaction } from '../../database/transaction.ts'
import { addEvent } from './entries.server.ts'

/** Messages that one statement changes. */
const AT_ONCE = 500

/**
 * Assigns to nobody what a person who can no longer answer had still to do, so that a colleague takes it. Closed messages
 * keep their assignee. @param byId who took the permission away; null on the server's console
 */
export async function releaseMessages(
  transaction: Transaction,
  clock: Clock,
  userId: string,
  byId: string | null,
): Promise<void> {
  for (let released = AT_ONCE; released === AT_ONCE; ) {
    const some = transaction
      .selectFrom('messages')
      .select('id')
      .where('assignee_id', '=', userId)
      .where('status', 'in', ['open', 'waiting'])
      .limit(AT_ONCE)
    const rows = await transaction
      .updateTable('messages')
      .set(eb => ({ assignee_id: null, version: eb('version', '+', 1) }))
      .where('id', 'in', some)
      .returning('id')
      .execute()
    for (const { id } of rows) await addEvent(transaction, clock, id, byId, 'unassigned')
    released = rows.length
  }
}
