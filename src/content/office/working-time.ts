import { days, hours, minutes } from '../../platform/clock.ts'
import type { SiteBody } from '../site-body.ts'
import { type Interval, type Office, officeOf } from './office.ts'
import { weekdays } from './office-hours.ts'

/** Office hours as instants. Times are in milliseconds; an interval has its first instant and not its last. */

/** Days that are looked at: ten years, so that hours that never come end the search. */
const MAX_DAYS = 3660
/** Days that are kept for each office, because most questions are about the same few weeks. */
const MAX_KEPT = 400

const kept = new WeakMap<Office, Map<string, readonly Interval[]>>()

export function hasHours({ week }: Office): boolean {
  return Object.values(week).some(({ length }) => length > 0)
}

/** The end of the hours that an instant is in; null while the office is closed. */
export function openUntil(office: Office, at: Date): Date | null {
  let end: number | null = null
  for (const [from, to] of intervalsFrom(office, at.getTime())) {
    if (from > (end ?? at.getTime())) break
    end = to
    // Who never closes is open for a week at least.
    if (to - at.getTime() > days(7)) break
  }
  return end === null ? null : new Date(end)
}

export function isOpen(office: Office, at: Date): boolean {
  return openUntil(office, at) !== null
}

/** When the office, once closed, opens next; null when it never does. */
export function opensNext(office: Office, at: Date): Date | null {
  for (const [from] of intervalsFrom(office, (openUntil(office, at) ?? at).getTime()))
    if (from > at.getTime()) return new Date(from)
  return null
}

/** When the office next begins a day: not after its break at noon. Null when it never does. */
export function nextMorning(office: Office, at: Date): Date | null {
  let before = ''
  for (const [from] of intervalsFrom(office, at.getTime() - days(1))) {
    const date = dateAt(from, office.timeZone)
    if (date !== before && from > at.getTime()) return new Date(from)
    before = date
  }
  return null
}

/** The instant by which so much time of office hours has passed; null when there are no such hours. */
export function addWorkingTime(office: Office, from: Date, time: number): Date | null {
  let left = time
  for (const [opens, closes] of intervalsFrom(office, from.getTime())) {
    const start = Math.max(opens, from.getTime())
    if (left <= closes - start) return new Date(start + left)
    left -= closes - start
  }
  return null
}

/** How much time of office hours lies between two instants; 0 when the second is not after the first. */
export function workingTimeBetween(office: Office, from: Date, to: Date): number {
  let time = 0
  for (const [opens, closes] of intervalsFrom(office, from.getTime())) {
    if (opens >= to.getTime()) break
    time += Math.max(0, Math.min(closes, to.getTime()) - Math.max(opens, from.getTime()))
  }
  return time
}

/** When a visitor who writes now is to have an answer; null where the site makes no promise or has no hours. */
export function answerBy(site: SiteBody, now: Date): Date | null {
  const office = officeOf(site)
  return office.target === null ? null : addWorkingTime(office, now, office.target)
}

/** The next hours that end after an instant, so many at most. */
export function hoursFrom(office: Office, at: Date, count: number): Interval[] {
  return intervalsFrom(office, at.getTime()).take(count).toArray()
}

/** The hours that end after an instant, in order. */
function* intervalsFrom(office: Office, at: number): Generator<Interval> {
  if (!hasHours(office)) return
  let date = dateAt(at, office.timeZone)
  for (let day = 0; day < MAX_DAYS; day++) {
    for (const interval of intervalsOn(office, date)) if (interval[1] > at) yield interval
    date = dayAfter(date)
  }
}

function intervalsOn(office: Office, date: string): readonly Interval[] {
  const dates = kept.get(office) ?? new Map<string, readonly Interval[]>()
  kept.set(office, dates)
  const known = dates.get(date)
  if (known) return known
  if (dates.size === MAX_KEPT) dates.clear()
  const intervals = findIntervals(office, date)
  dates.set(date, intervals)
  return intervals
}

function findIntervals({ week, holidays, timeZone }: Office, date: string): readonly Interval[] {
  const midnight = Date.parse(date)
  // The first day of the epoch was a Thursday.
  const weekday = weekdays[(midnight / hours(24) + 3) % 7]
  if (!weekday || holidays.has(date)) return []
  const at = (time: number) => firstInstantOf(midnight + time, timeZone)
  return week[weekday].map(([opens, closes]): Interval => [at(opens), at(closes)]).filter(([a, b]) => a < b)
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + days(1)).toISOString().slice(0, 10)
}

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
function dateAt(instant: number, timeZone: string): string {
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
