import * as z from 'zod/mini'
import { ById, Empty, singleLine } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { services } from '../enquiry-form/contract.ts'

export const messageTypes = ['contact', 'tracking', 'visa-assessment', 'auth'] as const
export type MessageType = (typeof messageTypes)[number]

export const typeLabels: Record<MessageType, string> = {
  contact: 'Contact Form',
  tracking: 'Tracking Form',
  'visa-assessment': 'Visa Assessment',
  auth: 'Authentication',
}

/** What the bot check made of the sender; the message itself keeps the reason or the score behind it. */
export const verifications = ['verified', 'off', 'unverified', 'suspect'] as const

/** Past this the count of unread messages stands still, so that it costs no more with a million of them. */
export const MAX_UNREAD_COUNTED = 1000

const Message = z.object({
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  service: z.nullable(z.enum(services)),
  message: z.string(),
  formType: z.enum(messageTypes),
  isRead: z.boolean(),
  /** `verified`, `off`, `unverified:<reason>` or `suspect:<score>`. */
  verification: z.string(),
  /** How the letter to staff is doing; null when there never was one. */
  letter: z.nullable(z.enum(['sent', 'waiting', 'failed'])),
  createdAt: z.string(),
})
export type Message = z.output<typeof Message>

const MAX_SEARCH_LENGTH = 200

/** Which messages a list shows; all that is given must hold. */
const filter = {
  /** Words that are all in name, e-mail, phone, reference or text; one or two characters alone: how name or e-mail begins. */
  q: z.optional(singleLine(1, 'Write what to look for', MAX_SEARCH_LENGTH, 'The search')),
  formType: z.optional(z.enum(messageTypes)),
  isRead: z.optional(z.enum(['true', 'false'])),
  verification: z.optional(z.enum(verifications)),
  /** Those whose letter to staff could not be sent. */
  letter: z.optional(z.literal('failed')),
}
const MessageFilter = z.strictObject(filter)
export type MessageFilter = z.output<typeof MessageFilter>

const MessageQuery = z.strictObject({
  ...filter,
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 100),
  /** The `nextCursor` of the page before. */
  cursor: z.optional(z.uuid()),
})
export type MessageQuery = z.output<typeof MessageQuery>

const MessagePage = z.object({
  messages: z.array(Message),
  /** Null at the end only: a search that has far to look answers with few messages, or none, and goes on from here. */
  nextCursor: z.nullable(z.string()),
  unread: z.number(),
})
export type MessagePage = z.output<typeof MessagePage>

const OpenMessage = z.object({
  message: Message,
  /** Why the letter to staff could not be sent, in the mail provider's words. */
  deliveryError: z.nullable(z.string()),
  /** The messages next to it in the list that the filter shows. */
  newer: z.nullable(z.string()),
  older: z.nullable(z.string()),
})
export type OpenMessage = z.output<typeof OpenMessage>

export const messages = {
  list: endpoint({
    method: 'GET',
    path: '/api/messages',
    access: 'admin',
    summary: 'List messages, the newest first',
    input: MessageQuery,
    reply: MessagePage,
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/messages/:id',
    access: 'admin',
    summary: 'Read one message, and which ones are next to it',
    input: z.strictObject({ ...filter, id: z.uuid('There is no such id') }),
    reply: OpenMessage,
  }),
  markRead: endpoint({
    method: 'PUT',
    path: '/api/messages/:id/read',
    access: 'admin',
    summary: 'Mark a message as read',
    input: ById,
    reply: Empty,
  }),
  forward: endpoint({
    method: 'POST',
    path: '/api/messages/:id/forward',
    access: 'admin',
    summary: 'Send a message to the configured address',
    input: ById,
    reply: Empty,
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/messages/:id/retry',
    access: 'admin',
    summary: 'Send the failed letter of a message again',
    errorStatuses: [409],
    input: ById,
    reply: Empty,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/messages/:id',
    access: 'admin',
    summary: 'Delete a message',
    input: ById,
    reply: Empty,
  }),
}
