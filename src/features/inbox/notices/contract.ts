import * as z from 'zod/mini'
import { ById, Empty } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'

/** Of more, the newest. */
export const MAX_NOTICES = 50

const Notice = z.object({
  messageId: z.string(),
  reference: z.string(),
  /** The visitor. */
  name: z.string(),
  /**
   * A colleague has assigned it to the caller, or named them in a note. A new email has come, and it is theirs or they
   * follow it. Their snooze of it has ended. Their scheduled reply was not sent.
   */
  kind: z.enum(['assigned', 'mentioned', 'answered', 'snoozed', 'unsent']),
  /** The colleague; null for one who was deleted, and where no colleague has done it. */
  by: z.nullable(z.string()),
  createdAt: z.string(),
})
export type Notice = z.output<typeof Notice>

const PATH = '/api/messages/notices'
const FOLLOWING = '/api/messages/:id/following'
/** Where the portal keeps the messages that are open. */
const OPEN = ['/api/messages/open']
/** An admin makes the tokens of others, and nobody else reads them. */
const own = { access: 'inbox:read', tokenAuth: 'denied' } as const

/** What the caller should look at, until they have. */
export const notices = {
  list: endpoint({
    ...own,
    method: 'GET',
    path: PATH,
    summary: 'List what waits for the caller to look at it, the newest first',
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
  follow: endpoint({
    ...own,
    method: 'PUT',
    path: FOLLOWING,
    summary: 'Give the caller a notice of each new email, also while the message is not theirs',
    input: ById,
    reply: Empty,
    stale: OPEN,
  }),
  unfollow: endpoint({
    ...own,
    method: 'DELETE',
    path: FOLLOWING,
    summary: 'Give the caller no such notice any more, unless the message is theirs',
    input: ById,
    reply: Empty,
    stale: OPEN,
  }),
}
