import { messageCount } from './count-words.ts'

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
  const words = isFiltered ? `${messageCount(count)} found` : messageCount(count)
  const rest = isFiltered ? ' so far, older messages not searched yet' : ' shown, older ones follow'
  return (
    <p role="status" className={isFiltered && count > 0 ? undefined : 'visually-hidden'}>
      {hasMore ? words + rest : words}
    </p>
  )
}
