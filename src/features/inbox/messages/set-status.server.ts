import type { MessageRow } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'
import { addEvent } from '../history/entries.server.ts'
import { mayAnswer } from './store.server.ts'

type Changed = Pick<MessageRow, 'id' | 'version' | 'assignee_id'>

/**
 * Gives a message that is locked another status, as one of its changes. @param message as it was read under the lock: what
 * is done to it in one transaction raises its version at least once @param byId null for what nobody did
 */
export async function setStatus(
  transaction: Transaction,
  clock: Clock,
  message: Changed,
  status: MessageRow['status'],
  byId: string | null,
): Promise<void> {
  const { id, version } = message
  const isReleased = await mustRelease(transaction, message, status)
  const columns = { status, status_since: isoAfter(clock), ...(isReleased && { assignee_id: null }) }
  await transaction
    .updateTable('messages')
    .set({ ...columns, version: version + 1 })
    .where('id', '=', id)
    .execute()
  if (isReleased) await addEvent(transaction, clock, id, byId, 'unassigned')
}

/** Does that with an event that says so. */
export async function changeStatus(
  transaction: Transaction,
  clock: Clock,
  message: Changed & Pick<MessageRow, 'status'>,
  status: MessageRow['status'],
  byId: string | null,
): Promise<void> {
  await setStatus(transaction, clock, message, status, byId)
  await addEvent(transaction, clock, message.id, byId, 'status', statusFields(message.status, status))
}

/** Of an event `status`. Nodes of the previous version read `detail`. */
export function statusFields(status_before: MessageRow['status'], status_after: MessageRow['status']) {
  return { status_before, status_after, detail: status_after }
}

/** Whether somebody who can no longer answer would have to work on it. What is done with keeps its assignee. */
export async function mustRelease(
  transaction: Transaction,
  { assignee_id }: Pick<Changed, 'assignee_id'>,
  status: MessageRow['status'],
): Promise<boolean> {
  if (assignee_id === null || status === 'closed' || status === 'spam') return false
  return !(await mayAnswer(transaction, assignee_id))
}
