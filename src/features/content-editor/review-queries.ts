import { useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call } from '../../ui/client.ts'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useWrite } from '../../ui/use-write.ts'
import type { Publication } from './contract.ts'
import { type Decision, type Refusal, reviews } from './contract-reviews.ts'

/** Reloads documents, lists and tasks: also after an error, because what was shown may be out of date. */
function useRefresh() {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['content'] }),
      client.invalidateQueries({ queryKey: ['dashboard'] }),
    ])
  }
}

export function useAskForReview() {
  const onSettled = useRefresh()
  return useWrite({
    mutationFn: (publication: z.input<typeof Publication>) => call(reviews.ask, publication),
    onSuccess: ({ review }) =>
      showToast({
        title: 'Review Requested',
        description: `Version ${review.number} goes live when somebody else approves it.`,
      }),
    onError: error => showFailure('Error', error, 'Failed to ask for a review'),
    onSettled,
  })
}

export function useApprove() {
  const onSettled = useRefresh()
  return useWrite({
    mutationFn: (decision: Decision) => call(reviews.approve, decision),
    onSuccess: ({ version }) =>
      showToast({ title: 'Approved', description: `Version ${version.number} is published.` }),
    onError: error => showFailure('Error', error, 'Failed to approve'),
    onSettled,
  })
}

export function useDecline() {
  const onSettled = useRefresh()
  return useWrite({
    mutationFn: (refusal: Refusal) => call(reviews.decline, refusal),
    onSuccess: (_reply, { number }) =>
      showToast({ title: 'Declined', description: `Version ${number} does not go live.` }),
    onError: error => showFailure('Error', error, 'Failed to decline'),
    onSettled,
  })
}

export function useWithdraw() {
  const onSettled = useRefresh()
  return useWrite({
    mutationFn: (decision: Decision) => call(reviews.withdraw, decision),
    onSuccess: (_reply, { number }) =>
      showToast({ title: 'Review Withdrawn', description: `Version ${number} does not go live.` }),
    onError: error => showFailure('Error', error, 'Failed to withdraw the review'),
    onSettled,
  })
}
