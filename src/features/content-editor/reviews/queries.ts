import type * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { call } from '../../../ui/client.ts'
import { type Publication, TIME_PASSED } from '../contract.ts'
import { useContentWrite } from '../queries.ts'
import { type Approval, type Decision, type Refusal, reviews } from './contract.ts'

export const useAskForReview = () =>
  useContentWrite((publication: z.input<typeof Publication>) => call(reviews.ask, publication), {
    done: ({ review }) => ({
      title: 'Review Requested',
      description: `Version ${review.number} goes live when somebody else approves it.`,
    }),
  })

export const useApprove = () =>
  useContentWrite((approval: Approval) => call(reviews.approve, approval), {
    done: ({ version }) => ({ title: 'Approved', description: `Version ${version.number} is published.` }),
    failed: error => (hasPassed(error) ? undefined : 'Failed to approve'),
  })

/** Whether a version was not approved because the time for which it was asked has passed. */
export function hasPassed(error: unknown): boolean {
  return error instanceof ApiError && error.errors.liveFrom === TIME_PASSED
}

export const useDecline = () =>
  useContentWrite((refusal: Refusal) => call(reviews.decline, refusal), {
    done: (_reply, { number }) => ({
      title: 'Declined',
      description: `Version ${number} does not go live.`,
    }),
    failed: 'Failed to decline',
  })

export const useWithdraw = () =>
  useContentWrite((decision: Decision) => call(reviews.withdraw, decision), {
    done: (_reply, { number }) => ({
      title: 'Review Withdrawn',
      description: `Version ${number} does not go live.`,
    }),
    failed: 'Failed to withdraw the review',
  })
