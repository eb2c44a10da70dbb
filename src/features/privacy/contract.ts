import * as z from 'zod/mini'
import { ById, singleLine } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

/** A visitor asks to be erased after somebody has answered them: an admin erases, or refuses with a reason. */
export const ErasureRequest = z.object({
  /** Of the enquiry that asked, which may be merged into another since; and its address. */
  messageId: z.string(),
  email: z.string(),
  requestedAt: z.string(),
  /** Null while nobody has decided. */
  refusedAt: z.nullable(z.string()),
  reason: z.nullable(z.string()),
})
export type ErasureRequest = z.output<typeof ErasureRequest>

/** What was erased, for the visitor to keep. */
export const Certificate = z.object({
  reference: z.string(),
  when: z.string(),
  enquiries: z.number(),
  emails: z.number(),
  files: z.number(),
  /** Texts in the conversations of others that named the visitor. */
  mentions: z.number(),
  /** What may still hold it for a while. */
  kept: z.array(z.string()),
  /** Whether it was emailed to the visitor, too. */
  isEmailed: z.boolean(),
})
export type Certificate = z.output<typeof Certificate>

/** Characters. */
export const MAX_REASON = 500

export const erasureRequests = {
  erase: endpoint({
    method: 'POST',
    path: '/api/messages/:id/erasure',
    access: 'inbox:manage',
    tokenAuth: 'denied',
    summary: 'Erase a visitor who has asked for it, with all that came from their address',
    input: ById,
    reply: z.object({ certificate: Certificate }),
    errorStatuses: [404, 409],
    stale: ['/api/messages', '/api/dashboard'],
  }),
  refuse: endpoint({
    method: 'DELETE',
    path: '/api/messages/:id/erasure',
    access: 'inbox:manage',
    tokenAuth: 'denied',
    summary: 'Refuse to erase a visitor, with a reason that they read',
    input: z.extend(ById, {
      reason: singleLine(10, 'Write a reason, which the visitor reads', MAX_REASON, 'The reason'),
    }),
    reply: z.object({}),
    errorStatuses: [404, 409],
    stale: ['/api/messages'],
  }),
}
