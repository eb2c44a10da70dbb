import * as z from 'zod/mini'
import { Empty } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'

/** Of more, the newest. */
export const MAX_NOTICES = 50

const Notice = z.object({
  messageId: z.string(),
  reference: z.string(),
  /** The visitor. */
  name: z.string(),
  kind: z.enum(['assigned', 'mentioned']),
  /** The colleague; null for one who was deleted. */
  by: z.nullable(z.string()),
  createdAt: z.string(),
})
export type Notice = z.output<typeof Notice>

const PATH = '/api/messages/notices'
/** An admin makes the tokens of others, and nobody else reads them. */
const own = { access: 'inbox:read', tokenAuth: 'denied' } as const

/** What colleagues have assigned to the caller, and the notes that name them, until they have looked. */
export const notices = {
  list: endpoint({
    ...own,
    method: 'GET',
    path: PATH,
    summary: 'List what colleagues have left for the caller to look at, the newest first',
    input: z.strictObject({}),
    reply: z.object({ notices: z.array(Notice) }),
  }),
  delete: endpoint({
    ...own,
    method: 'DELETE',
    path: PATH,
    summary: 'Forget the notices of one message, or all of them, up to a time: the caller has looked',
    input: z.strictObject({ messageId: z.optional(z.uuid('There is no such id')), until: z.iso.datetime() }),
    reply: Empty,
    stale: [PATH],
  }),
}
