import { queryOptions } from '@tanstack/react-query'
import { describeValue } from '../../../content/facts.ts'
import { call } from '../../../ui/client.ts'
import { facts, type ListedFact } from './contract.ts'

export const factsQuery = queryOptions({
  queryKey: ['content', 'facts'],
  queryFn: async () => (await call(facts.list, {})).facts.toSorted(byUrgency),
})

const urgency = { ended: 0, overdue: 0, current: 1 } as const

/** What needs a look first, then by the date of the next check. */
function byUrgency(one: ListedFact, other: ListedFact): number {
  const waiting = Number(other.proposal !== null) - Number(one.proposal !== null)
  const due = urgency[one.state] - urgency[other.state]
  return due || waiting || one.fact.reviewBy.localeCompare(other.fact.reviewBy)
}

/** "Core skills income" */
export function wordsOfFact(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const factOptions = (listed: readonly ListedFact[]) =>
  Object.fromEntries(listed.map(({ name, fact }) => [name, `${wordsOfFact(name)}: ${describeValue(fact)}`]))
