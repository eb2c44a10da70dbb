import { formatDate, formatDateTime, formatPreciseTime } from './dates.ts'

/** A time in a list. Where there is no room for a line, the clock comes below the date. */
export function DateTime({ iso, precise = false }: { readonly iso: string; readonly precise?: boolean }) {
  const date = formatDate(iso)
  const clock = (precise ? formatPreciseTime(iso) : formatDateTime(iso)).slice(date.length + 1)
  return (
    <time dateTime={iso}>
      <span>{date}</span> <span>{clock}</span>
    </time>
  )
}
