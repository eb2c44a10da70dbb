const day = { month: 'short', day: 'numeric', year: 'numeric' } as const
const minute = { ...day, hour: 'numeric', minute: '2-digit' } as const
const dayFormat = new Intl.DateTimeFormat('en-US', day)
const minuteFormat = new Intl.DateTimeFormat('en-US', minute)
const secondFormat = new Intl.DateTimeFormat('en-US', { ...minute, second: '2-digit' })

const clock = new Intl.DateTimeFormat('en-AU', { hour: 'numeric', minute: '2-digit', hour12: true })
const shortDay = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short' })
const longDay = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', year: 'numeric' })

/** The zone of all times here, beside them. */
export const YOUR_TIME = `your time (${clock.resolvedOptions().timeZone})`

/** ISO time → `10:17 pm` today and `23 Nov` before, with the year where it is another one, in the reader's time zone. */
export function formatShort(iso: string, now = new Date()): string {
  const time = new Date(iso)
  if (longDay.format(time) === longDay.format(now)) return formatClock(iso)
  return (time.getFullYear() === now.getFullYear() ? shortDay : longDay).format(time)
}

/** The same with the time of day, always: `23 Nov, 10:17 pm`. */
export function formatShortTime(iso: string, now = new Date()): string {
  const [day, time] = [formatShort(iso, now), formatClock(iso)]
  return day === time ? `Today ${time}` : `${day}, ${time}`
}

/** ISO time → `10:17 pm`, in the reader's time zone. */
export function formatClock(iso: string): string {
  return clock.format(new Date(iso)).replace('\u202f', ' ')
}

/** ISO time → `21 Nov 2026` in the reader's time zone; a day alone counts there. */
export function formatDay(iso: string): string {
  return longDay.format(new Date(iso.length === DAY_LENGTH ? `${iso}T00:00` : iso))
}

const DAY_LENGTH = '2026-11-21'.length

/** ISO time → `Nov 21, 2026` in the reader's time zone, where the specification has a full date. */
export function formatDate(iso: string): string {
  return dayFormat.format(new Date(iso))
}

/** ISO time → `Nov 21, 2026 3:04 PM` in the reader's time zone, the specification's format for lists. */
export function formatDateTime(iso: string, isPrecise = false): string {
  return splitDateTime(iso, isPrecise).join(' ')
}

/** The same as date and time of day. Formatting takes long where there are hundreds. @param isPrecise with seconds */
export function splitDateTime(iso: string, isPrecise: boolean) {
  const parts = (isPrecise ? secondFormat : minuteFormat).formatToParts(new Date(iso))
  const hour = parts.findIndex(({ type }) => type === 'hour')
  // Some engines put a narrow space before AM and PM.
  const join = (from: number, to?: number) =>
    parts
      .slice(from, to)
      .map(({ value }) => value.replace('\u202f', ' '))
      .join('')
  return [join(0, hour - 1), join(hour)] as const
}
