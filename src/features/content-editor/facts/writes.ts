import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { type FactChange, type FactDecision, facts } from './contract.ts'
import { factsQuery } from './queries.ts'

// Apart from what reads facts, because the editor of a document changes none.

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
