import type { Office } from '../../../content/office/office.ts'
import { addWorkingTime, workingTimeBetween } from '../../../content/office/working-time.ts'
import type { EntryRow } from '../../../database/conversation-tables.ts'
import type { MessageRow } from '../../../database/tables.ts'

/** What the reply clock needs of an entry; whether it is a reply that could not be sent. */
export type ClockEvent = Pick<
  EntryRow,
  'kind' | 'action' | 'status_before' | 'status_after' | 'detail' | 'created_at'
> & {
  readonly isFailed: boolean
}

/** The clock at one moment of the history. It runs while the message is open and not snoozed, and nobody has answered. */
interface ReplyClock {
  /** Office time that is left, in milliseconds. */
  readonly left: number
  /** Up to when it has been counted. Milliseconds since the epoch. */
  readonly at: number
  readonly status: string
  readonly snoozedUntil: number
  readonly isAnswered: boolean
  /** Where the time has run out already. */
  readonly due: Date | null
}

/**
 * When the answer to a message is due; null while nobody waits for one. It follows from the message, what happened to it, in
 * order, and the office hours as they are now, so that it can be worked out again at any time. @param first its first status
 */
export function dueAt(
  office: Office,
  message: Pick<MessageRow, 'status' | 'created_at'>,
  history: readonly ClockEvent[],
  first: MessageRow['status'] = 'open',
): string | null {
  if (office.target === null || message.status !== 'open') return null
  let clock = start(office.target, message.created_at, first)
  for (const event of history) {
    clock = applyEvent(run(office, clock, Date.parse(event.created_at)), event, office.target)
  }
  if (clock.isAnswered) return null
  return (clock.due ?? addWorkingTime(office, runsFrom(clock), clock.left))?.toISOString() ?? null
}

function start(target: number, createdAt: string, status: MessageRow['status']): ReplyClock {
  const at = Date.parse(createdAt)
  return { left: target, at, status, snoozedUntil: at, isAnswered: false, due: null }
}

const runsFrom = ({ at, snoozedUntil }: ReplyClock) => new Date(Math.max(at, snoozedUntil))

/** Counts the time up to a moment. */
function run(office: Office, clock: ReplyClock, until: number): ReplyClock {
  const isRunning = clock.status === 'open' && !clock.isAnswered && clock.due === null
  if (!isRunning) return { ...clock, at: until }
  const from = runsFrom(clock)
  const due = addWorkingTime(office, from, clock.left)
  if (due && due.getTime() <= until) return { ...clock, at: until, due }
  return { ...clock, at: until, left: clock.left - workingTimeBetween(office, from, new Date(until)) }
}

function applyEvent(
  clock: ReplyClock,
  { kind, action, status_after, detail, isFailed }: ClockEvent,
  target: number,
): ReplyClock {
  if (kind === 'reply' || kind === 'call') return { ...clock, isAnswered: clock.isAnswered || !isFailed }
  // Nobody waits for an answer to a program, or to what came before anybody looked.
  if (kind === 'inbound') return detail === null ? applyInbound(clock, target) : clock
  if (action === 'status') return { ...clock, status: status_after ?? clock.status }
  if (action === 'snoozed') return { ...clock, snoozedUntil: Date.parse(detail ?? '') || clock.at }
  if (action === 'unsnoozed') return { ...clock, snoozedUntil: clock.at }
  const isReopened = action === 'reply-failed' || action === 'reply-unsent'
  return isReopened && clock.status !== 'spam' ? { ...clock, status: 'open' } : clock
}

/** What a visitor says after an answer is to be answered again. It ends a snooze. */
function applyInbound(clock: ReplyClock, target: number): ReplyClock {
  const awake = { ...clock, snoozedUntil: clock.at }
  return clock.isAnswered ? { ...awake, isAnswered: false, left: target, due: null } : awake
}
