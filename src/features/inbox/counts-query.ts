import { queryOptions } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { messages } from './contract.ts'
import { figure } from './count-words.ts'
import { MAX_UNREAD_COUNTED } from './filter-contract.ts'

/** Its key is below the dashboard's, whose figures change with every write that changes these. */
export const countsQuery = queryOptions({
  queryKey: ['dashboard', 'views'],
  queryFn: () => call(messages.counts, {}),
})

/** A figure that is only known to be at least that has a plus sign. */
export function describeCount(count: number, isPartial = false): string {
  return `${figure(count)}${isPartial || count >= MAX_UNREAD_COUNTED ? '+' : ''}`
}
