/** Times in the time zone of the office, which is not always that of the person who schedules. */

/** "1 Dec 2026, 9:00 am Sydney time" */
export function describeOfficeTime(iso: string, timeZone: string): string {
  const parts = {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  } as const
  const text = new Intl.DateTimeFormat('en-AU', { ...parts, hour12: true, timeZone }).format(new Date(iso))
  const plain = text.replace('\u202f', ' ')
  return `${plain} ${placeOf(timeZone)} time`
}

/** "Australia/Lord_Howe" → "Lord Howe" */
export function placeOf(timeZone: string): string {
  return timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')
}

/** The date and time that a clock in the office shows, as `2026-12-01T09:00`. */
export function toOfficeClock(moment: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  return format.format(moment).replace(' ', 'T')
}

/**
 * The moment at which the clock in the office shows this date and time. A time that is skipped when clocks go forward is
 * an hour later, and of one that comes twice it is the first. @returns null when it is no date and time
 */
export function fromOfficeClock(clock: string, timeZone: string): Date | null {
  const wanted = Date.parse(`${clock}Z`)
  if (Number.isNaN(wanted)) return null
  const offsetAt = (time: number) => Date.parse(`${toOfficeClock(new Date(time), timeZone)}Z`) - time
  // The offsets before and after a change of clocks, which is never more than a day away.
  const guesses = [offsetAt(wanted - DAY), offsetAt(wanted + DAY)].map(offset => wanted - offset)
  const right = guesses.filter(time => time + offsetAt(time) === wanted)
  return new Date(Math.min(...(right.length > 0 ? right : guesses.slice(0, 1))))
}

const DAY = 24 * 60 * 60 * 1000
