const day = { month: 'short', day: 'numeric', year: 'numeric' } as const
const minute = { ...day, hour: 'numeric', minute: '2-digit' } as const
const dayFormat = new Intl.DateTimeFormat('en-US', day)
const minuteFormat = new Intl.DateTimeFormat('en-US', minute)
const secondFormat = new Intl.DateTimeFormat('en-US', { ...minute, second: '2-digit' })

/** ISO time → `Nov 21, 2026` in the reader's time zone. */
export function formatDate(iso: string): string {
  return dayFormat.format(new Date(iso))
}

/** ISO time → `Nov 21, 2026 3:04 PM` in the reader's time zone, the specification's format for lists. */
export function formatDateTime(iso: string): string {
  return split(minuteFormat, iso).join(' ')
}

/** The same with seconds: `Nov 21, 2026 3:04:09 PM`. */
export function formatPreciseTime(iso: string): string {
  return split(secondFormat, iso).join(' ')
}

/** The same as date and time of day. Formatting takes long where there are hundreds. */
export function splitDateTime(iso: string, isPrecise: boolean) {
  return split(isPrecise ? secondFormat : minuteFormat, iso)
}

function split(format: Intl.DateTimeFormat, iso: string) {
  const parts = format.formatToParts(new Date(iso))
  const hour = parts.findIndex(({ type }) => type === 'hour')
  // Some engines put a narrow space before AM and PM.
  const join = (from: number, to?: number) =>
    parts
      .slice(from, to)
      .map(({ value }) => value.replace('\u202f', ' '))
      .join('')
  return [join(0, hour - 1), join(hour)] as const
}
