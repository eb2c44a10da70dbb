import type { MessageRow } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { isoAfter } from '../../../platform/clock.ts'
import { addEvent, type Work } from '../history/entries.server.ts'
import { mayAnswer, updateMessage } from './store.server.ts'

type Changed = Pick<MessageRow, 'id' | 'version' | 'assignee_id'>
type Status = MessageRow['status']

/**
 * Gives a message that is locked another status, as one of its changes. @param message as it was read under the lock: what
 * is done to it in one transaction raises its version at least once
 */
export async function setStatus(work: Work, message: Changed, status: Status): Promise<void> {
  const { id, version } = message
  const isReleased = await mustRelease(work.transaction, message, status)
  const columns = { status, status_since: isoAfter(work.clock), ...(isReleased && { assignee_id: null }) }
  await updateMessage(work.transaction, id, { ...columns, version: version + 1 })
  if (isReleased) await addEvent(work, id, 'unassigned')
}

/** Does that with an event that says so. */
export async function changeStatus(work: Work, message: Changed & { status: Status }, status: Status) {
  await setStatus(work, message, status)
  await addEvent(work, message.id, 'status', statusFields(message.status, status))
}

/** Of an event `status`. Nodes of the previous version read `detail`. */
export function statusFields(status_before: Status, status_after: Status) {
  return { status_before, status_after, detail: status_after }
}

/** Whether somebody who can no longer answer would have to work on it. What is done with keeps its assignee. */
export async function mustRelease(
  transaction: Transaction,
  { assignee_id }: Pick<Changed, 'assignee_id'>,
  status: Status,
): Promise<boolean> {
  if (assignee_id === null || status === 'closed' || status === 'spam') return false
  return !(await mayAnswer(transaction, assignee_id))
}
