import * as z from 'zod/mini'
import { ById, Empty } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { days } from '../../../platform/clock.ts'
import { Person, Reply } from '../conversation/contract.ts'

/** Milliseconds: a year. Further ahead is a slip. */
export const MAX_SCHEDULED = days(366)

const ScheduleReply = z.extend(Reply, { sendsAt: z.iso.datetime() })
export type ScheduleReply = z.output<typeof ScheduleReply>

/** A reply that waits for its time, in the draft of its writer. */
const SCHEDULED = '/api/messages/:id/scheduled-reply'

export const ScheduledReply = z.object({
  by: Person,
  sendsAt: z.string(),
  /** Why it will not be sent, as a sentence. */
  obstacle: z.optional(z.string()),
  /** Only for its writer, as the next one: who gets a copy, and what the message will be. */
  cc: z.optional(z.array(z.string())),
  status: Reply.shape.status,
})
export type ScheduledReply = z.output<typeof ScheduledReply>

/** Calls about the reply that its writer has sent at a time. */
export const scheduledReplies = {
  schedule: endpoint({
    method: 'PUT',
    path: SCHEDULED,
    access: 'inbox:answer',
    summary: 'Save the draft of a reply, and send it at a time unless somebody has said something until then',
    input: ScheduleReply,
    reply: Empty,
    errorStatuses: [409],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: SCHEDULED,
    access: 'inbox:answer',
    summary: "Cancel a scheduled reply, the caller's or that of a colleague; its text stays a draft",
    input: z.extend(ById, {
      /** The colleague. */
      userId: z.optional(z.uuid('There is no such id')),
    }),
    reply: Empty,
    errorStatuses: [409],
  }),
}
