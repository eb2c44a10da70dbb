import type { Message } from '../contract.ts'
import { snoozeNow } from './snooze-menu.tsx'
import type { ChangeRequest } from './use-change.ts'

/** What makes a message as it is. Closing it or marking it as spam also ends its snooze. */
const asItIs = ({ status, snoozedUntil }: Message) => ({ status, snoozedUntil: snoozeNow(snoozedUntil) })

export function close(message: Message): ChangeRequest {
  return { message, fields: { status: 'closed' }, done: 'Enquiry closed', undo: asItIs(message) }
}

export function reopen(message: Message): ChangeRequest {
  const done = message.status === 'spam' ? 'No longer marked as spam' : 'Enquiry reopened'
  return { message, fields: { status: 'open' }, done, undo: { status: message.status } }
}

export function markAsSpam(message: Message): ChangeRequest {
  return { message, fields: { status: 'spam' }, done: 'Marked as spam', undo: asItIs(message) }
}

export function markAsUnread(message: Message): ChangeRequest {
  return { message, fields: { isRead: false }, done: 'Marked as unread' }
}
