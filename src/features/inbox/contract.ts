import * as z from 'zod/mini'
import { ById, Empty, singleLine } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { services } from '../enquiry-form/contract.ts'

export const messageTypes = ['contact', 'tracking', 'visa-assessment', 'auth'] as const
export type MessageType = (typeof messageTypes)[number]

/** Results of the bot check. A message stores the reason or the score after it, separated by a colon. */
export const verifications = ['verified', 'off', 'unverified', 'suspect'] as const

/** Unread messages are counted up to this number, so that a million of them cost no more to count. */
export const MAX_UNREAD_COUNTED = 1000

const Message = z.object({
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  service: z.nullable(z.enum(services)),
  message: z.string(),
  /** Further answers, by the name of the question. */
  details: z.record(z.string(), z.string()),
  formType: z.enum(messageTypes),
  isRead: z.boolean(),
  /** `verified`, `off`, `unverified:<reason>` or `suspect:<score>`. */
  verification: z.string(),
  /** The status of the email to staff about this message; null when there never was one. */
  letter: z.nullable(z.enum(['sent', 'waiting', 'failed'])),
  createdAt: z.string(),
})
export type Message = z.output<typeof Message>

const MAX_SEARCH_LENGTH = 200

/** Which messages a list shows. A message must match every filter that is set. */
const filter = {
  /** Words that must all occur in name, email, phone, reference or text. One or two characters: the start of name or email. */
  q: z.optional(singleLine(1, 'Write what to look for', MAX_SEARCH_LENGTH, 'The search')),
  formType: z.optional(z.enum(messageTypes)),
  isRead: z.optional(z.enum(['true', 'false'])),
  verification: z.optional(z.enum(verifications)),
  /** Messages whose email to staff could not be sent. */
  letter: z.optional(z.literal('failed')),
}
const MessageFilter = z.strictObject(filter)
export type MessageFilter = z.output<typeof MessageFilter>

const MessageQuery = z.strictObject({
  ...filter,
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 100),
  /** The `nextCursor` of the previous page. */
  cursor: z.optional(z.uuid()),
})
export type MessageQuery = z.output<typeof MessageQuery>

const MessagePage = z.object({
  messages: z.array(Message),
  /** Null at the end of the list only. A long search may return few messages, or none, and continues from here. */
  nextCursor: z.nullable(z.string()),
  unread: z.number(),
})
export type MessagePage = z.output<typeof MessagePage>

/** What the history of a message records: who read it first, forwarded it, or sent its failed email again. */
export type MessageEvent = 'read' | 'forwarded' | 'retried'

const Entry = z.object({
  id: z.string(),
  seq: z.number(),
  kind: z.literal('event'),
  /** Null once the user is deleted. */
  author: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Of an event, what happened: `read`, `forwarded` or `retried`. */
  body: z.string(),
  createdAt: z.string(),
  /** The status of the email that an entry was sent as. */
  delivery: z.nullable(z.enum(['sent', 'waiting', 'failed'])),
})
export type Entry = z.output<typeof Entry>

const OpenMessage = z.object({
  message: Message,
  /** Why the email to staff could not be sent, in the mail provider's words. */
  deliveryError: z.nullable(z.string()),
  /** The ids of its neighbours in the filtered list; null also when they are further away than one call reads. */
  newer: z.nullable(z.string()),
  older: z.nullable(z.string()),
  /** Its history, oldest first. */
  entries: z.array(Entry),
  /** The number of the last entry that is not an event; 0 without any. */
  lastSeq: z.number(),
})
export type OpenMessage = z.output<typeof OpenMessage>

export const messages = {
  list: endpoint({
    method: 'GET',
    path: '/api/messages',
    access: 'inbox:read',
    summary: 'List messages, newest first',
    input: MessageQuery,
    reply: MessagePage,
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/messages/:id',
    access: 'inbox:read',
    summary: 'Read one message, and the ids of its neighbours',
    input: z.strictObject({ ...filter, id: z.uuid('There is no such id') }),
    reply: OpenMessage,
  }),
  markRead: endpoint({
    method: 'PUT',
    path: '/api/messages/:id/read',
    access: 'inbox:answer',
    summary: 'Mark a message as read',
    input: ById,
    reply: Empty,
  }),
  forward: endpoint({
    method: 'POST',
    path: '/api/messages/:id/forward',
    access: 'inbox:answer',
    summary: 'Send a message to the configured address',
    input: ById,
    reply: Empty,
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/messages/:id/retry',
    access: 'inbox:answer',
    summary: 'Send the failed email about a message again',
    errorStatuses: [409],
    input: ById,
    reply: Empty,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/messages/:id',
    access: 'inbox:manage',
    summary: 'Delete a message',
    input: ById,
    reply: Empty,
  }),
}
