import { enquiryCount } from './count-words.ts'

/** How many messages were found so far. */
export function MessageCount({
  count,
  hasMore,
  isFiltered,
}: {
  count: number
  hasMore: boolean
  isFiltered: boolean
}) {
  const words = isFiltered ? `${enquiryCount(count)} found` : enquiryCount(count)
  const rest = isFiltered ? ' so far, older ones not searched yet' : ' shown, older ones follow'
  return (
    <p role="status" className={isFiltered && count > 0 ? undefined : 'visually-hidden'}>
      {hasMore ? words + rest : words}
    </p>
  )
}
