/** Returns the current time; tests use one that they can set. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

const SECOND = 1000

/** Milliseconds. */
export const seconds = (count: number) => count * SECOND
/** Milliseconds. */
export const minutes = (count: number) => seconds(count * 60)
/** Milliseconds. */
export const hours = (count: number) => minutes(count * 60)
/** Milliseconds. */
export const days = (count: number) => hours(count * 24)

/**
 * Milliseconds by which the clocks of two nodes may differ: each by five minutes from the database's. Retention warns of a node
 * that differs by more.
 */
export const MAX_CLOCK_SKEW = minutes(10)

export const wholeMinutes = (milliseconds: number) => Math.floor(milliseconds / minutes(1))

/** The date of a moment in a time zone, such as `2026-11-21`. */
export function dateIn(moment: Date, timeZone: string): string {
  return wallClock(moment, timeZone).slice(0, 10)
}

/** The date of the Monday with which the week of a moment begins in a time zone. */
export function weekIn(moment: Date, timeZone: string): string {
  const day = new Date(`${dateIn(moment, timeZone)}T00:00:00Z`)
  const daysSinceMonday = (day.getUTCDay() + 6) % 7
  return isoAfter(() => day, -days(daysSinceMonday)).slice(0, 10)
}

/** Local date and time in a time zone, as ISO text without an offset. */
export function wallClock(moment: Date, timeZone: string): string {
  return moment.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')
}

/** ISO 8601 in UTC, the form in which every time is stored and sent; it sorts as text. */
export function isoAfter(clock: Clock, milliseconds = 0): string {
  return new Date(clock().getTime() + milliseconds).toISOString()
}
