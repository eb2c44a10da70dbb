import { fromOfficeClock, toOfficeClock } from '../../../office-time.ts'
import { hours } from '../../../platform/clock.ts'
import type { Message } from '../contract.ts'
import type { ChangeRequest } from './use-change.ts'

export interface SnoozeTime {
  readonly label: string
  readonly until: Date
}

/** Hours that are later today. */
const LATER = 3
const MORNING = 'T09:00'
const MONDAY = 1

/** When a message may come back, by the clock of the office. Of two that are the same, only the first is offered. */
export function snoozeTimes(now: Date, timeZone: string): SnoozeTime[] {
  const today = toOfficeClock(now, timeZone).slice(0, 10)
  const later = new Date(Math.ceil((now.getTime() + hours(LATER)) / hours(1)) * hours(1))
  const isToday = toOfficeClock(later, timeZone).startsWith(today)
  const tomorrow = addDays(today, 1)
  const monday = addDays(today, (MONDAY + 7 - weekday(today)) % 7 || 7)
  return [
    ...(isToday ? [{ label: 'Later today', until: later }] : []),
    ...morningOf('Tomorrow', tomorrow, timeZone),
    ...(monday === tomorrow ? [] : morningOf('Next Monday', monday, timeZone)),
  ]
}

/** 9 am in the office on a day such as `2026-12-01`; empty when there is no such day. */
export function morningOf(label: string, day: string, timeZone: string): SnoozeTime[] {
  const until = fromOfficeClock(`${day}${MORNING}`, timeZone)
  return until ? [{ label, until }] : []
}

/** The day after today in the office, the first that can be chosen. */
export function firstDay(now: Date, timeZone: string): string {
  return addDays(toOfficeClock(now, timeZone).slice(0, 10), 1)
}

const weekday = (day: string) => new Date(`${day}T00:00Z`).getUTCDay()

function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

/** The end of a snooze that has not ended. */
export const snoozeNow = (until: string | null) =>
  until !== null && Date.parse(until) > Date.now() ? until : null

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
