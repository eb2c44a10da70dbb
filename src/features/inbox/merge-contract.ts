import * as z from 'zod/mini'
import { ById, Email, Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

const path = '/api/messages/:id/merge'

/** Calls that make one conversation of two messages, and two of it again. */
export const merge = {
  into: endpoint({
    method: 'PUT',
    path,
    access: 'inbox:answer',
    summary: 'Merge a message into another, where it is shown and worked on from then on',
    input: z.strictObject({
      id: z.uuid('There is no such id'),
      into: z.uuid('There is no such id'),
      /** Needed when they came from different addresses: the one that gets the replies, which is that of `into`. */
      replyTo: z.optional(Email),
    }),
    reply: Empty,
    errorStatuses: [409],
  }),
  undo: endpoint({
    method: 'DELETE',
    path,
    access: 'inbox:answer',
    summary: 'Make a merged message one of its own again',
    input: ById,
    reply: Empty,
    errorStatuses: [409],
  }),
}
