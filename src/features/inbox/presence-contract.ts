import * as z from 'zod/mini'
import { ById, Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Person } from './conversation-contract.ts'

/** Who is looking at a message: a hint. That two people answer at once is refused by the call that sends a reply. */
export const presence = {
  look: endpoint({
    method: 'PUT',
    path: '/api/messages/:id/presence',
    access: 'inbox:read',
    summary: 'Say that the caller is looking at a message, and list who else is',
    isUnattended: true,
    input: ById,
    reply: z.object({ others: z.array(Person) }),
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
