import * as z from 'zod/mini'
import { ById, Empty } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { Person } from '../conversation/contract.ts'

/** Somebody else who looks at a message. */
const Other = z.extend(Person, { isWriting: z.boolean() })
export type Other = z.output<typeof Other>

/** Who is looking at a message: a hint. That two people answer at once is refused by the call that sends a reply. */
export const presence = {
  look: endpoint({
    method: 'PUT',
    path: '/api/messages/:id/presence',
    access: 'inbox:read',
    summary: 'Say that the caller is looking at a message or writing about it, and list who else is',
    isUnattended: true,
    input: z.extend(ById, {
      /** Whether the caller is writing about it now. */
      isWriting: z.optional(z.boolean()),
    }),
    reply: z.object({ others: z.array(Other) }),
  }),
  leave: endpoint({
    method: 'DELETE',
    path: '/api/messages/:id/presence',
    access: 'inbox:read',
    summary: 'Say that the caller no longer looks at a message',
    isUnattended: true,
    input: ById,
    reply: Empty,
  }),
}
