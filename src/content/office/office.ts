import { hours, minutes } from '../../platform/clock.ts'
import type { SiteBody } from '../site-body.ts'
import { stateInAddress, type Weekday } from './office-hours.ts'

/** When the office answers, and within which time. It is made once for each version of the site. */
export interface Office {
  readonly timeZone: string
  /** For each day of the week the times between which it is open, in milliseconds since midnight, in order. */
  readonly week: Readonly<Record<Weekday, readonly Interval[]>>
  /** Dates on which it is closed, such as 2026-12-25. */
  readonly holidays: ReadonlySet<string>
  /** Milliseconds of office hours within which a visitor gets the first answer; null for no promise. */
  readonly target: number | null
  /** Differs between any two offices that differ. */
  readonly key: string
}

/** From the first moment, to before the second. */
export type Interval = readonly [from: number, to: number]

type OfficeBody = Pick<SiteBody, 'company' | 'officeHours' | 'holidays' | 'state' | 'replyHours'>

/** Hours, for a site that does not say. */
export const DEFAULT_REPLY_HOURS = 8

const offices = new WeakMap<OfficeBody, Office>()

/** The office of a site. A site is never changed, so that of the same site is always the same. */
export function officeOf(site: OfficeBody): Office {
  const known = offices.get(site)
  if (known) return known
  const office = toOffice(site)
  offices.set(site, office)
  return office
}

function toOffice({ company, officeHours, holidays, state, replyHours }: OfficeBody): Office {
  const { timeZone } = company
  // Nobody answers enquiries in hours by appointment.
  const open = officeHours.filter(({ byAppointment }) => !byAppointment)
  const own = state ?? stateInAddress(company.address)
  const dates = holidays.flatMap(({ date, states = [] }) =>
    states.length === 0 || !own || states.includes(own) ? [date] : [],
  )
  const on = (day: Weekday) => intervalsOn(day, open)
  const week = {
    Monday: on('Monday'),
    Tuesday: on('Tuesday'),
    Wednesday: on('Wednesday'),
    Thursday: on('Thursday'),
    Friday: on('Friday'),
    Saturday: on('Saturday'),
    Sunday: on('Sunday'),
  }
  const target = replyHours === null ? null : hours(replyHours ?? DEFAULT_REPLY_HOURS)
  const holidayDates = [...new Set(dates)].sort()
  return {
    timeZone,
    week,
    holidays: new Set(holidayDates),
    target,
    key: hash(JSON.stringify([timeZone, Object.entries(week), holidayDates, target])),
  }
}

/** In order, those that touch or overlap as one. */
function intervalsOn(day: Weekday, entries: SiteBody['officeHours']): Interval[] {
  const intervals = entries
    .filter(({ days }) => days.includes(day))
    .map(({ opens, closes }): Interval => [sinceMidnight(opens), sinceMidnight(closes)])
    .sort(([one], [other]) => one - other)
  const joined: Interval[] = []
  for (const [from, to] of intervals) {
    const last = joined.at(-1)
    if (!last || from > last[1]) joined.push([from, to])
    else joined.splice(-1, 1, [last[0], Math.max(last[1], to)])
  }
  return joined
}

/** @param time such as 09:30 or 24:00 */
function sinceMidnight(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hours(hour) + minutes(minute)
}

/** FNV-1a, of 64 bits: two offices of one agency never have the same by accident. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text))
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n)
  return value.toString(16).padStart(16, '0')
}
