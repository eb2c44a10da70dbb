import { seconds } from '../../../platform/clock.ts'

/** How long ago a time is: `22 minutes`, `3 hours`, `2 days`. */
export function describeMinutes(since: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / seconds(60)))
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 60 / 24), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
