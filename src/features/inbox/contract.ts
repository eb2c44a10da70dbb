import * as z from 'zod/mini'
import { days } from '../../clock.ts'
import { ById, Empty, singleLine } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { services } from '../enquiry-form/contract.ts'
import { Draft, Entry, Note, Person, text } from './conversation-contract.ts'

export const messageTypes = ['contact', 'tracking', 'visa-assessment', 'auth'] as const
export type MessageType = (typeof messageTypes)[number]

/** Results of the bot check. A message stores the reason or the score after it, separated by a colon. */
export const verifications = ['verified', 'off', 'unverified', 'suspect'] as const

/** `waiting` is for the visitor. */
export const statuses = ['open', 'waiting', 'closed', 'spam'] as const

/** Unread messages are counted up to this number, so that a million of them cost no more to count. */
export const MAX_UNREAD_COUNTED = 1000

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
  /** The beginning of the visitor's latest words, on one line. */
  excerpt: z.string(),
  lastActivityAt: z.string(),
  /** Counts the changes of status, assignee, tags and snooze. */
  version: z.number(),
  /** Only of a message that is merged: the one in whose conversation it is shown, and worked on. */
  mergedInto: z.optional(z.string()),
})
export type Message = z.output<typeof MessageSchema>

const MAX_SEARCH_LENGTH = 200
/** Characters of a tag, and tags of a message: more could not be shown. */
const MAX_TAG_LENGTH = 40
export const MAX_TAGS = 20
export const TOO_MANY_TAGS = `A message has at most ${MAX_TAGS} tags`

/** In lower case, so that nobody has to know how others spelled it. */
const Tag = singleLine(1, 'Write a tag', MAX_TAG_LENGTH, 'A tag').check(
  z.overwrite(tag => tag.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ')),
  z.refine(tag => !/[\p{C}\p{Zl}\p{Zp},]/u.test(tag), 'A tag has no commas and no invisible characters'),
)

/** Two ISO times, or dots in place of one: `2026-11-16T13:00:00.000Z/..`. */
const INTERVAL = /^(\.\.|[\d-]{10}T[\d:]{8}\.\d{3}Z)\/(\.\.|[\d-]{10}T[\d:]{8}\.\d{3}Z)$/

/** Which messages a list shows. A message must match every filter that is set. */
export const filter = {
  /** Words that must all occur in name, email, phone, reference or text. One or two characters: the start of name or email. */
  q: z.optional(singleLine(1, 'Write what to look for', MAX_SEARCH_LENGTH, 'The search')),
  formType: z.optional(z.enum(messageTypes)),
  isRead: z.optional(z.enum(['true', 'false'])),
  verification: z.optional(z.enum(verifications)),
  /** Messages whose email to staff could not be sent, and those that are not closed and have a reply that could not. */
  letter: z.optional(z.literal('failed')),
  /** Without it, everything but spam. */
  status: z.optional(z.enum(statuses)),
  assignee: z.optional(z.union([z.enum(['me', 'none']), z.uuid()])),
  tag: z.optional(Tag),
  /** Open messages whose reply is late. */
  overdue: z.optional(z.literal('true')),
  /** Messages that are snoozed now. */
  snoozed: z.optional(z.literal('true')),
  /** Two times with a slash between them: from the first, and before the second. Two dots leave an end open. */
  received: z.optional(z.string().check(z.regex(INTERVAL, 'There is no such time'))),
  /** The Monday that began the week in which the first reply was written. */
  firstReplyWeek: z.optional(z.iso.date()),
  /** The id of a user who has answered, by email or by phone, since `answeredSince`. */
  answeredBy: z.optional(z.uuid()),
  answeredSince: z.optional(z.iso.datetime()),
}
const MessageFilter = z.strictObject(filter)
export type MessageFilter = z.output<typeof MessageFilter>

/** The id of a message, in the order by activity after the time of its last one. */
const CURSOR = /^(\d{4}-\d\d-\d\dT[\d:.]{12}Z_)?[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/

/** The newest enquiry first, or what anybody said last. */
const order = z.optional(z.literal('activity'))

const MessageQuery = z.strictObject({
  ...filter,
  order,
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 100),
  /** The `nextCursor` of the previous page. */
  cursor: z.optional(z.string().check(z.regex(CURSOR, 'There is no such page'))),
})
export type MessageQuery = z.output<typeof MessageQuery>

const MessagePage = z.object({
  messages: z.array(MessageSchema),
  /** Null at the end of the list only. A long search may return few messages, or none, and continues from here. */
  nextCursor: z.nullable(z.string()),
  unread: z.number(),
})
export type MessagePage = z.output<typeof MessagePage>

/** Messages of each view of the inbox, each counted up to `MAX_UNREAD_COUNTED`. */
const ViewCounts = z.object({
  open: z.number(),
  /** Open, and assigned to the caller, or to nobody. */
  mine: z.number(),
  nobody: z.number(),
  overdue: z.number(),
  waiting: z.number(),
  snoozed: z.number(),
  spam: z.number(),
  /** Whether so many are open or waiting that not all of them were read, so that every figure may be higher. */
  isPartial: z.boolean(),
})
export type ViewCounts = z.output<typeof ViewCounts>

/** What is shown of another message of the same person. */
const Related = z.pick(MessageSchema, {
  id: true,
  reference: true,
  formType: true,
  status: true,
  excerpt: true,
  createdAt: true,
})

const OpenMessage = z.object({
  message: MessageSchema,
  /** Why the email to staff could not be sent, in the mail provider's words. */
  deliveryError: z.nullable(z.string()),
  /** The ids of its neighbours in the filtered list; null also when they are further away than one call reads. */
  newer: z.nullable(z.string()),
  older: z.nullable(z.string()),
  /** Its history, oldest first; of a very long one the newest. */
  entries: z.array(Entry),
  /** The number of the last entry that is not an event; 0 without any. */
  lastSeq: z.number(),
  /** What staff wrote for each other, oldest first. */
  notes: z.array(Note),
  /** What the caller is writing. */
  drafts: z.array(Draft),
  /** Other messages with the same email address or phone number, the newest first. */
  samePerson: z.array(Related),
  /** Messages that are merged into this one; their entries, and each itself as an entry, are among `entries`. */
  merged: z.optional(z.array(Related)),
})
export type OpenMessage = z.output<typeof OpenMessage>

/** A year: further ahead is a slip. */
export const MAX_SNOOZE = days(366)

const Tags = z.array(Tag).check(z.maxLength(MAX_TAGS, TOO_MANY_TAGS), z.overwrite(unique))

export const Change = z.strictObject({
  id: z.uuid('There is no such id'),
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

function unique(tags: readonly string[]): string[] {
  return [...new Set(tags)].sort()
}

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
    input: z.strictObject({ ...filter, order, id: z.uuid('There is no such id') }),
    reply: OpenMessage,
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
    summary: 'Change status, assignee, tags or snooze of a message',
    errorStatuses: [409],
    input: Change,
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
    input: z.strictObject({
      id: z.uuid('There is no such id'),
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
