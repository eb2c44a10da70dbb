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
  return withoutLastComma(minuteFormat, iso)
}

/** The same with seconds: `Nov 21, 2026 3:04:09 PM`. */
export function formatPreciseTime(iso: string): string {
  return withoutLastComma(secondFormat, iso)
}

function withoutLastComma(format: Intl.DateTimeFormat, iso: string): string {
  const parts = format.formatToParts(new Date(iso))
  const beforeHour = parts.findIndex(({ type }) => type === 'hour') - 1
  // Some engines put a narrow space before AM and PM.
  return parts.map(({ value }, index) => (index === beforeHour ? ' ' : value.replace('\u202f', ' '))).join('')
}
