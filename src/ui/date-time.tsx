import { formatDateTime, formatShort, splitDateTime, YOUR_TIME } from './dates.ts'

/** A date and time in a list. Where they do not fit on one line, the time wraps below the date. */
export function DateTime({ iso, precise = false }: { readonly iso: string; readonly precise?: boolean }) {
  const [date, clock] = splitDateTime(iso, precise)
  return (
    <time dateTime={iso} title={YOUR_TIME}>
      <span>{date}</span> <span>{clock}</span>
    </time>
  )
}

/** When something was, beside other things of the same kind: the time of today, or the day. */
export function ShortTime({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={`${formatDateTime(iso)}, ${YOUR_TIME}`}>
      {formatShort(iso)}
    </time>
  )
}
