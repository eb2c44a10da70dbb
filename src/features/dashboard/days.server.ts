import { dateIn, wallClock } from '../../clock.ts'

/** A calendar day in the office's time zone: its start and its end (exclusive) in UTC, as ISO text. */
export interface Day {
  readonly date: string
  readonly since: string
  readonly until: string
}

/** The last `count` days in a time zone, up to and including today. A day may have 23 or 25 hours. */
export function lastDays(now: Date, count: number, timeZone: string): Day[] {
  const today = dateIn(now, timeZone)
  const dates = Array.from({ length: count + 1 }, (_, ago) => shift(today, 1 - ago)).reverse()
  const starts = dates.map(date => startOf(date, timeZone).toISOString())
  return dates.slice(0, count).map((date, at) => ({
    date,
    since: starts[at] ?? '',
    until: starts[at + 1] ?? '',
  }))
}

/** The date some days later; time zones do not matter here. */
function shift(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/** Midnight in a time zone. The offset is read twice, since daylight saving may change between UTC midnight and there. */
function startOf(date: string, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const first = midnight - offsetAt(new Date(midnight), timeZone)
  return new Date(midnight - offsetAt(new Date(first), timeZone))
}

/** Milliseconds by which a time zone is ahead of UTC at a moment. */
function offsetAt(moment: Date, timeZone: string): number {
  return Date.parse(`${wallClock(moment, timeZone)}Z`) - moment.getTime()
}
