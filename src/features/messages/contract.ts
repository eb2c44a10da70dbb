import * as z from 'zod/mini'
import { endpoint } from '../../http/endpoint.ts'
import { ById, Nothing } from '../../http/fields.ts'
import { services } from '../enquiries/contract.ts'

export const messageTypes = ['contact', 'tracking', 'visa-assessment', 'auth'] as const
export type MessageType = (typeof messageTypes)[number]

export const typeLabels: Record<MessageType, string> = {
  contact: 'Contact Form',
  tracking: 'Tracking Form',
  'visa-assessment': 'Visa Assessment',
  auth: 'Authentication',
}

/** Past this the count of unread messages stands still, so that it costs no more with a million of them. */
export const MOST_UNREAD_COUNTED = 1000

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

const MessageQuery = z.strictObject({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 100),
  /** The `nextCursor` of the page before. */
  cursor: z.optional(z.uuid()),
  formType: z.optional(z.enum(messageTypes)),
  isRead: z.optional(z.enum(['true', 'false'])),
})
export type MessageQuery = z.output<typeof MessageQuery>

const MessagePage = z.object({
  messages: z.array(Message),
  nextCursor: z.nullable(z.string()),
  unread: z.number(),
})
export type MessagePage = z.output<typeof MessagePage>

export const messages = {
  list: endpoint({
    method: 'GET',
    path: '/api/messages',
    access: 'admin',
    summary: 'List messages, the newest first',
    input: MessageQuery,
    reply: MessagePage,
  }),
  markRead: endpoint({
    method: 'PUT',
    path: '/api/messages/:id/read',
    access: 'admin',
    summary: 'Mark a message as read',
    input: ById,
    reply: Nothing,
  }),
  forward: endpoint({
    method: 'POST',
    path: '/api/messages/:id/forward',
    access: 'admin',
    summary: 'Send a message to the configured address',
    input: ById,
    reply: Nothing,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/messages/:id',
    access: 'admin',
    summary: 'Delete a message',
    input: ById,
    reply: Nothing,
  }),
}
