import { splitDateTime } from './dates.ts'

/** A date and time in a list. Where they do not fit on one line, the time wraps below the date. */
export function DateTime({ iso, precise = false }: { readonly iso: string; readonly precise?: boolean }) {
  const [date, clock] = splitDateTime(iso, precise)
  return (
    <time dateTime={iso}>
      <span>{date}</span> <span>{clock}</span>
    </time>
  )
}
