import * as z from 'zod/mini'
import { ById, Email, Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { days } from '../../platform/clock.ts'
import { services } from '../enquiry-form/contract.ts'
import { ErasureRequest } from '../privacy/contract.ts'
import { DraftFile } from './attachments/contract.ts'
import { Draft, Entry, FirstReply, Note, Person, text } from './conversation/contract.ts'
import { InboundMail } from './mail-in/contract.ts'
import {
  filter,
  listed,
  MessageQuery,
  matchFields,
  messageTypes,
  statuses,
  Tags,
  ViewCounts,
} from './messages/filter-contract.ts'
import { ScheduledReply } from './replies/contract.ts'

export { type MessageType, messageTypes } from './messages/filter-contract.ts'

/** Characters of a text that a list shows. */
export const EXCERPT_LENGTH = 160

export const MessageSchema = z.object({
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
  status: z.enum(statuses),
  assignee: z.nullable(Person),
  tags: z.array(z.string()),
  snoozedUntil: z.nullable(z.string()),
  dueAt: z.nullable(z.string()),
  /** How many files came with it or went out; left out without any. */
  files: z.optional(z.number()),
  /** The beginning of the visitor's latest words, on one line. */
  excerpt: z.string(),
  lastActivityAt: z.string(),
  /** Only in a search: a text that has what was looked for. One of a note is seen by nobody but staff. */
  match: z.optional(
    z.object({
      field: z.enum(matchFields),
      /** The part of the text around the first hit, on one line. */
      excerpt: z.string(),
      /** Where the hits are in the excerpt, in UTF-16 units. */
      marks: z.array(z.object({ start: z.number(), end: z.number() })),
    }),
  ),
  /** Counts the changes of status, assignee, tags and snooze. */
  version: z.number(),
  /** Only of a message that is merged: the one in whose conversation it is shown, and worked on. */
  mergedInto: z.optional(z.string()),
})
export type Message = z.output<typeof MessageSchema>

const MessagePage = z.object({
  messages: z.array(MessageSchema),
  /** Null at the end of the list only. A long search may return few messages, or none, and continues from here. */
  nextCursor: z.nullable(z.string()),
  unread: z.number(),
})
export type MessagePage = z.output<typeof MessagePage>

/** What is shown of another message that may be of the same person. */
const Related = z.extend(
  z.pick(MessageSchema, {
    id: true,
    reference: true,
    name: true,
    email: true,
    formType: true,
    status: true,
    excerpt: true,
    createdAt: true,
  }),
  {
    /** Whether it came from the same email address. Otherwise it has the same phone number only, which proves nothing. */
    isSameAddress: z.boolean(),
  },
)

/** Its message is an entry of the conversation. */
const Merged = z.extend(Related, z.pick(MessageSchema, { phone: true, service: true, details: true }).shape)

const OpenMessage = z.object({
  message: MessageSchema,
  /** The mail that the message began as, if it did; its own text is `message.message`. */
  mail: z.optional(InboundMail),
  /** Why the email to staff could not be sent, in the mail provider's words, or has reached nobody. */
  deliveryError: z.nullable(z.string()),
  /** The ids of its neighbours in the filtered list; null also when they are further away than one call reads. */
  newer: z.nullable(z.string()),
  older: z.nullable(z.string()),
  /** The newest 256 KiB of its history, oldest first. */
  entries: z.array(Entry),
  /** The number of the last entry that is not an event; 0 without any. */
  lastSeq: z.number(),
  /** What staff wrote for each other in the same time, oldest first. */
  notes: z.array(Note),
  /** The cursor of the history before that; null when this is all of it. */
  earlier: z.nullable(z.string()),
  /** The first reply of the conversation, whenever that was; null without one. */
  firstReply: z.nullable(FirstReply),
  /** Whether the caller gets a notice of each new email, also while the message is not theirs. */
  isFollowing: z.optional(z.boolean()),
  /** Replies that are sent at a time. */
  scheduled: z.optional(z.array(ScheduledReply)),
  /** Whether the visitor has asked to be erased. */
  erasure: z.optional(ErasureRequest),
  /** What the caller is writing. */
  drafts: z.array(Draft),
  /** The files of their reply. */
  draftFiles: z.optional(z.array(DraftFile)),
  /** Other messages with the same email address, the newest first, and then those with the same phone number only. */
  samePerson: z.array(Related),
  /** Messages that are merged into this one; their entries, and each itself as an entry, are among `entries`. */
  merged: z.optional(z.array(Merged)),
})
export type OpenMessage = z.output<typeof OpenMessage>

/** Enough to see that somebody has written before; the rest is found by a search. */
export const MAX_SAME_PERSON = 20

/** A year: further ahead is a slip. */
export const MAX_SNOOZE = days(366)

export const Change = z.extend(ById, {
  status: z.optional(z.enum(statuses)),
  assignee: z.optional(z.nullable(z.union([z.literal('me'), z.uuid()]))),
  tags: z.optional(Tags),
  /** Without it, the others stay. */
  addTags: z.optional(Tags),
  removeTags: z.optional(Tags),
  snoozedUntil: z.optional(z.nullable(z.iso.datetime())),
  isRead: z.optional(z.boolean()),
  /** What the message had when the caller saw it. */
  version: z.optional(z.number().check(z.int(), z.gte(1))),
})
export type Change = z.output<typeof Change>

/** What is changed of one message only. */
const ChangeOfOne = z.extend(Change, {
  /** The address that replies go to. The history keeps the old one. An API token is not accepted for it. */
  email: z.optional(Email),
  /** Gives back former values, as `isUndo` of several does. */
  isUndo: z.optional(z.literal(true)),
})
export type ChangeOfOne = z.output<typeof ChangeOfOne>

const IDS = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}(,[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}){0,49}$/

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
    input: z.extend(ById, listed),
    reply: OpenMessage,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/messages/export',
    access: 'inbox:manage',
    summary: 'Export the messages of a list as CSV, newest first, without notes and drafts',
    input: z.strictObject({
      ...filter,
      /** Spam as well, which is left out unless `status` asks for it. */
      withSpam: z.optional(z.literal('true')),
    }),
    reply: z.instanceof(ReadableStream<Uint8Array>),
    mediaType: 'text/csv',
  }),
  rows: endpoint({
    method: 'GET',
    path: '/api/messages/rows',
    access: 'inbox:read',
    summary: 'Read messages by their ids, as the list shows them',
    input: z.strictObject({
      /** With commas between them, at most 50. Those that are gone are left out. */
      ids: z.string().check(z.regex(IDS, 'Give up to 50 ids with commas between them')),
    }),
    reply: z.object({ messages: z.array(MessageSchema) }),
  }),
  counts: endpoint({
    method: 'GET',
    path: '/api/messages/counts',
    access: 'inbox:read',
    summary: 'Count the messages by status',
    input: z.strictObject({}),
    reply: ViewCounts,
  }),
  options: endpoint({
    method: 'GET',
    path: '/api/messages/options',
    access: 'inbox:read',
    summary: 'List the staff with access to messages, the tags in use, and the time zone of the office',
    input: z.strictObject({}),
    reply: z.object({
      staff: z.array(z.object({ id: z.string(), name: z.string(), mayAnswer: z.boolean() })),
      tags: z.array(z.string()),
      /** Such as `Australia/Sydney`. */
      timeZone: z.string(),
    }),
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/messages/:id',
    access: 'inbox:answer',
    summary: 'Change status, assignee, tags, snooze or email address of a message',
    errorStatuses: [409],
    input: ChangeOfOne,
    reply: z.object({ message: MessageSchema }),
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
    summary: 'Send a message to the configured address, or to a colleague',
    input: z.extend(ById, {
      /** The id of a user with access to messages. */
      to: z.optional(z.uuid('Choose somebody with access to messages')),
      comment: z.optional(text),
    }),
    /** The version that the message has now, unless it was deleted meanwhile. */
    reply: z.object({ version: z.optional(z.number()) }),
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
