import { fromOfficeClock, toOfficeClock } from '../../../office-time.ts'

export interface SnoozeTime {
  readonly label: string
  readonly until: Date
}

const HOUR = 60 * 60 * 1000
/** Hours that are later today. */
const LATER = 3
const MORNING = 'T09:00'
const MONDAY = 1

/** When a message may come back, by the clock of the office. Of two that are the same, only the first is offered. */
export function snoozeTimes(now: Date, timeZone: string): SnoozeTime[] {
  const today = toOfficeClock(now, timeZone).slice(0, 10)
  const later = new Date(Math.ceil((now.getTime() + LATER * HOUR) / HOUR) * HOUR)
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
