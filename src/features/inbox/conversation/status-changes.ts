import type { Message } from '../contract.ts'
import { snoozeNow } from './snooze-times.ts'
import type { ChangeRequest } from './use-change.ts'

/** What makes a message as it is. Closing it or marking it as spam also ends its snooze. */
const asItIs = ({ status, snoozedUntil }: Message) => ({ status, snoozedUntil: snoozeNow(snoozedUntil) })

function close(message: Message): ChangeRequest {
  return { message, fields: { status: 'closed' }, done: 'Enquiry closed', undo: asItIs(message) }
}

/** @param to the id of who answers it, null for nobody */
export function assign(message: Message, to: string | null, done: string): ChangeRequest {
  return { message, fields: { assignee: to }, done, undo: { assignee: message.assignee?.id ?? null } }
}

function reopen(message: Message): ChangeRequest {
  const done = message.status === 'spam' ? 'No longer marked as spam' : 'Enquiry reopened'
  return { message, fields: { status: 'open' }, done, undo: { status: message.status } }
}

export function markAsSpam(message: Message): ChangeRequest {
  return { message, fields: { status: 'spam' }, done: 'Marked as spam', undo: asItIs(message) }
}

export function markAsUnread(message: Message): ChangeRequest {
  return { message, fields: { isRead: false }, done: 'Marked as unread' }
}

/** The next step of most messages, or the way back. */
export function nextStatus(message: Message) {
  if (message.status === 'spam') return { label: 'Not spam', change: reopen(message) }
  if (message.status === 'closed') return { label: 'Reopen', change: reopen(message) }
  return { label: 'Close enquiry', change: close(message) }
}
