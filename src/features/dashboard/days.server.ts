/** A day of the office: when it begins and ends in UTC, as ISO text. */
export interface Day {
  readonly date: string
  readonly since: string
  readonly until: string
}

/** The last `count` days of a time zone up to the one that `now` is in. A day may have 23 hours, or 25. */
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

/** `2026-11-21`, where that moment falls on it. */
function dateIn(moment: Date, timeZone: string): string {
  return wallClock(moment, timeZone).slice(0, 10)
}

/** The date some days on, by the calendar alone. */
function shift(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/** The moment at which clocks there come to midnight. A second look: the first may have been across a change of clocks. */
function startOf(date: string, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const first = midnight - offsetAt(new Date(midnight), timeZone)
  return new Date(midnight - offsetAt(new Date(first), timeZone))
}

/** Milliseconds by which clocks there are ahead of UTC. */
function offsetAt(moment: Date, timeZone: string): number {
  return Date.parse(`${wallClock(moment, timeZone)}Z`) - moment.getTime()
}

/** What calendar and clock there show, as ISO text without a zone. */
function wallClock(moment: Date, timeZone: string): string {
  return moment.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')
}
