import { days, minutes } from '../clock.ts'

/** Wall time, which is what a clock in a time zone shows, is written here as if it were UTC: milliseconds since the epoch. */

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format takes a thousand times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

/** What a clock there shows at an instant, to the second. */
export function wallTime(instant: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** The date there, such as 2026-11-21. */
export function dateAt(instant: number, timeZone: string): string {
  return new Date(wallTime(instant, timeZone)).toISOString().slice(0, 10)
}

/**
 * The first instant at which a clock there shows this time or a later one: of a time that comes twice it is the first, and
 * of a time that is skipped it is when the clock goes forward.
 */
export function firstInstantOf(wall: number, timeZone: string): number {
  const offsetAt = (instant: number) => wallTime(instant, timeZone) - instant
  // The offsets before and after a change of clocks, which is never more than a day away.
  const [one, other] = [wall - offsetAt(wall - days(1)), wall - offsetAt(wall + days(1))]
  const [earlier, later] = one < other ? [one, other] : [other, one]
  for (let instant = earlier; instant < later; instant += minutes(1))
    if (wallTime(instant, timeZone) >= wall) return instant
  return later
}
