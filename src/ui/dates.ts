const parts = {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
} as const
const listFormat = new Intl.DateTimeFormat('en-US', parts)
const preciseFormat = new Intl.DateTimeFormat('en-US', { ...parts, second: '2-digit' })

/** ISO time → `Nov 21, 2026 3:04 PM` in the reader's time zone, as the specification writes dates in lists. */
export function formatDateTime(iso: string): string {
  const part = Object.fromEntries(
    listFormat.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]),
  )
  return `${part.month} ${part.day}, ${part.year} ${part.hour}:${part.minute} ${part.dayPeriod}`
}

/** The same with seconds: `Nov 21, 2026, 3:04:09 PM`. */
export function formatPreciseTime(iso: string): string {
  return preciseFormat.format(new Date(iso)).replace(/\u202f/g, ' ')
}
