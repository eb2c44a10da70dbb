const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })

const listFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** ISO time → `Nov 21, 2026 3:04 PM` in the reader's time zone, as the specification writes dates in lists. */
export function formatDateTime(iso: string): string {
  const part = Object.fromEntries(
    listFormat.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]),
  )
  return `${part.month} ${part.day}, ${part.year} ${part.hour}:${part.minute} ${part.dayPeriod}`
}

/** ISO time → `Nov 21, 2026` in the reader's time zone. */
export function formatDate(iso: string): string {
  return dayFormat.format(new Date(iso))
}
