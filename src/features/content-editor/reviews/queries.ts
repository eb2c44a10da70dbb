import type * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { call } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { type Publication, TIME_PASSED } from '../contract.ts'
import { useContentRefresh } from '../queries.ts'
import { type Approval, type Decision, type Refusal, reviews } from './contract.ts'

/** Where each of these failed, what was shown may be out of date, so it is read again too. */
export function useAskForReview() {
  const onSettled = useContentRefresh()
  return useWrite({
    mutationFn: (publication: z.input<typeof Publication>) => call(reviews.ask, publication),
    onSuccess: ({ review }) =>
      showToast({
        title: 'Review Requested',
        description: `Version ${review.number} goes live when somebody else approves it.`,
      }),
    onSettled,
  })
}

export function useApprove() {
  const onSettled = useContentRefresh()
  return useWrite({
    mutationFn: (approval: Approval) => call(reviews.approve, approval),
    onSuccess: ({ version }) =>
      showToast({ title: 'Approved', description: `Version ${version.number} is published.` }),
    onError(error) {
      if (!hasPassed(error)) showFailure('Error', error, 'Failed to approve')
    },
    onSettled,
  })
}

/** Whether a version was not approved because the time for which it was asked has passed. */
export function hasPassed(error: unknown): boolean {
  return error instanceof ApiError && error.errors.liveFrom === TIME_PASSED
}

export function useDecline() {
  const onSettled = useContentRefresh()
  return useWrite({
    mutationFn: (refusal: Refusal) => call(reviews.decline, refusal),
    onSuccess: (_reply, { number }) =>
      showToast({ title: 'Declined', description: `Version ${number} does not go live.` }),
    onError: error => showFailure('Error', error, 'Failed to decline'),
    onSettled,
  })
}

export function useWithdraw() {
  const onSettled = useContentRefresh()
  return useWrite({
    mutationFn: (decision: Decision) => call(reviews.withdraw, decision),
    onSuccess: (_reply, { number }) =>
      showToast({ title: 'Review Withdrawn', description: `Version ${number} does not go live.` }),
    onError: error => showFailure('Error', error, 'Failed to withdraw the review'),
    onSettled,
  })
}
