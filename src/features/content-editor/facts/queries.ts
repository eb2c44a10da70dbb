import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { type FactChange, type FactDecision, facts, type ListedFact } from './contract.ts'

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

function useRefresh() {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: factsQuery.queryKey }),
      client.invalidateQueries({ queryKey: ['dashboard'] }),
    ])
  }
}

export function useChangeFact() {
  const onSettled = useRefresh()
  return useWrite({
    mutationFn: (change: FactChange) => call(facts.change, change),
    onSuccess: ({ fact: { name, proposal } }) =>
      showToast(
        proposal
          ? { title: 'Review Requested', description: `Somebody else must approve the change of ${name}.` }
          : { title: 'Fact Saved', description: `Every page that refers to ${name} shows it now.` },
      ),
    onError: error => showFailure('Error', error, 'Failed to save the fact'),
    onSettled,
  })
}

export function useApproveFact() {
  const onSettled = useRefresh()
  return useWrite({
    mutationFn: (decision: FactDecision) => call(facts.approve, decision),
    onSuccess: (_reply, { name }) =>
      showToast({ title: 'Approved', description: `Every page that refers to ${name} shows it now.` }),
    onError: error => showFailure('Error', error, 'Failed to approve'),
    onSettled,
  })
}

export function useDiscardFact() {
  const onSettled = useRefresh()
  return useWrite({
    mutationFn: (decision: FactDecision) => call(facts.discard, decision),
    onSuccess: (_reply, { name }) =>
      showToast({ title: 'Change Discarded', description: `${name} stays as it is.` }),
    onError: error => showFailure('Error', error, 'Failed to discard the change'),
    onSettled,
  })
}

/** "2,000 AUD" */
export const showFact = ({ value, unit }: ListedFact['fact']) => (unit ? `${value} ${unit}` : value)

/** "Core skills income" */
export function wordsOfFact(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What one chooses a fact by. */
export const factOptions = (listed: readonly ListedFact[]) =>
  Object.fromEntries(listed.map(({ name, fact }) => [name, `${wordsOfFact(name)}: ${showFact(fact)}`]))
