import { days, hours, minutes } from '../../clock.ts'
import { formatDate } from '../../ui/dates.ts'

/** How long ago a token was used, in the words of the specification. */
export function describeLastUse(iso: string | null, now: Date): string {
  if (iso === null) return 'Never'
  const ago = now.getTime() - Date.parse(iso)
  if (ago < minutes(1)) return 'Just now'
  if (ago < hours(1)) return count(ago / minutes(1), 'minute')
  if (ago < days(1)) return count(ago / hours(1), 'hour')
  if (ago < days(30)) return count(ago / days(1), 'day')
  return formatDate(iso)
}

function count(time: number, unit: string): string {
  const whole = Math.floor(time)
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`
}
