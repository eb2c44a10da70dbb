import * as z from 'zod/mini'
import { ById, Empty, singleLine } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { NOTE_LENGTH, Publication, PublishedVersion, STALE, VersionNumber } from '../contract.ts'
import { Review } from '../schemas.ts'

/** What all of them have in common. An admin can make a token of anyone, so a token proves no second person. */
const inPerson = { access: 'content:edit', tokenAuth: 'denied', method: 'POST', stale: STALE } as const

/** Names what somebody has seen, so that nobody decides about something else. */
const Decision = z.strictObject({ id: ById.shape.id, number: VersionNumber })
export type Decision = z.output<typeof Decision>

const Approval = z.extend(Decision, {
  note: z.optional(singleLine(0, '', NOTE_LENGTH, 'Note')),
  /** Publishes it at once, whatever time its author has asked for. Without it, a time that has passed is refused. */
  publishNow: z.optional(z.boolean()),
})
export type Approval = z.output<typeof Approval>

export const Refusal = z.extend(Decision, {
  note: singleLine(1, 'Say what should change', NOTE_LENGTH, 'Note'),
})
export type Refusal = z.output<typeof Refusal>

/** While the setting *Publishing needs a second person* is on. */
export const reviews = {
  ask: endpoint({
    ...inPerson,
    path: '/api/content/:id/review',
    summary: 'Ask somebody else to approve a draft',
    errorStatuses: [409, 422],
    status: 201,
    input: Publication,
    reply: z.object({ review: Review }),
  }),
  approve: endpoint({
    ...inPerson,
    path: '/api/content/:id/review/approve',
    summary: 'Publish the version that somebody else asks about',
    errorStatuses: [409, 422],
    input: Approval,
    reply: z.object({ version: PublishedVersion }),
  }),
  decline: endpoint({
    ...inPerson,
    path: '/api/content/:id/review/decline',
    summary: 'Decline the version that somebody else asks about',
    errorStatuses: [409],
    input: Refusal,
    reply: Empty,
  }),
  withdraw: endpoint({
    ...inPerson,
    path: '/api/content/:id/review/withdraw',
    summary: 'Withdraw the review that the caller asked for',
    errorStatuses: [409],
    input: Decision,
    reply: Empty,
  }),
}
