import * as z from 'zod/mini'
import { endpoint } from '../http/endpoint.ts'
import type { EventStream } from '../http/event-stream.ts'

/** Which message to read again, and nothing of what it says: a client that may read it asks for it. */
export const LiveEvent = z.object({
  /** Rises. A client that was away sends the last one as `Last-Event-ID`. */
  id: z.string(),
  /** `writing`: somebody has begun to write about it, or has stopped. */
  kind: z.enum(['new', 'changed', 'deleted', 'writing']),
  messageId: z.string(),
})
export type LiveEvent = z.output<typeof LiveEvent>

export const live = {
  events: endpoint({
    method: 'GET',
    path: '/api/events',
    access: 'inbox:read',
    summary: 'Hear which messages are new, changed or deleted, as it happens',
    isUnattended: true,
    input: z.strictObject({}),
    reply: z.custom<EventStream>(),
    event: LiveEvent,
    headers: { 'Last-Event-ID': 'The id of the last event that the client has got, to get those since then' },
  }),
}
