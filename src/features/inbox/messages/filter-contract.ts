import * as z from 'zod/mini'
import { SearchWords, singleLine } from '../../../http/common-schemas.ts'

export const messageTypes = ['contact', 'tracking', 'visa-assessment', 'email', 'auth'] as const
export type MessageType = (typeof messageTypes)[number]

/** Results of the bot check. A message stores the reason or the score after it, separated by a colon. */
export const verifications = ['verified', 'off', 'unverified', 'suspect'] as const

/** `waiting` is for the visitor. */
export const statuses = ['open', 'waiting', 'closed', 'spam'] as const

/** Characters of a tag, and tags of a message: more could not be shown. */
const MAX_TAG_LENGTH = 40
export const MAX_TAGS = 20
export const TOO_MANY_TAGS = `A message has at most ${MAX_TAGS} tags`

/** In lower case, so that nobody has to know how others spelled it. */
const Tag = singleLine(1, 'Write a tag', MAX_TAG_LENGTH, 'A tag').check(
  z.overwrite(tag => tag.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ')),
  z.refine(tag => !/[\p{C}\p{Zl}\p{Zp},]/u.test(tag), 'A tag has no commas and no invisible characters'),
)

export const Tags = z.array(Tag).check(
  z.maxLength(MAX_TAGS, TOO_MANY_TAGS),
  z.overwrite(tags => [...new Set(tags)].sort()),
)

/** Two ISO times, or dots in place of one: `2026-11-16T13:00:00.000Z/..`. */
const INTERVAL = /^(\.\.|[\d-]{10}T[\d:]{8}\.\d{3}Z)\/(\.\.|[\d-]{10}T[\d:]{8}\.\d{3}Z)$/

/** Where a message has what was looked for, in the order in which places are preferred when several have it. */
export const matchFields = [
  'name',
  'message',
  'answer',
  'email',
  'phone',
  'reference',
  'tag',
  'reply',
  'inbound',
  'call',
  'note',
] as const
export type MatchField = (typeof matchFields)[number]

/** Which messages a list shows. A message must match every filter that is set. */
export const filter = {
  /**
   * Words that must all begin a word of the visitor, answers, tags, replies, calls or notes; with quotation marks, one after
   * the other. Parts are found in email address, phone and reference only.
   */
  q: z.optional(SearchWords),
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
  snoozed: z.optional(z.literal('true')),
  /** Messages that the caller follows. */
  following: z.optional(z.literal('true')),
  /** Messages with a reply, of anybody, that is sent later. */
  scheduled: z.optional(z.literal('true')),
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

/** What a list shows, and in which order. */
export const listed = { ...filter, order }
const InboxFilter = z.object(listed)
export type InboxFilter = z.output<typeof InboxFilter>

/** What an address says of the list. A value that no filter has is left out. */
export function readFilter(params: Iterable<readonly [name: string, value: string]>): InboxFilter {
  const said = [...params]
  const { issues = [] } = InboxFilter.safeParse(Object.fromEntries(said)).error ?? {}
  const wrong = new Set(issues.map(({ path }) => path[0]))
  return InboxFilter.parse(Object.fromEntries(said.filter(([name]) => !wrong.has(name))))
}

export const MessageQuery = z.strictObject({
  ...listed,
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 100),
  /** The `nextCursor` of the previous page. */
  cursor: z.optional(z.string().check(z.regex(CURSOR, 'There is no such page'))),
})
export type MessageQuery = z.output<typeof MessageQuery>

/** Unread messages are counted up to this number, so that a million of them cost no more to count. */
export const MAX_UNREAD_COUNTED = 1000

/** Messages of a status that are read to count them: a few milliseconds' work, however many there are. */
export const MAX_READ = 2000

/** Messages of each view of the inbox, each counted up to `MAX_UNREAD_COUNTED`. */
export const ViewCounts = z.object({
  open: z.number(),
  /** Open, and assigned to the caller, or to nobody. */
  mine: z.number(),
  nobody: z.number(),
  overdue: z.number(),
  waiting: z.number(),
  snoozed: z.number(),
  /** In how many milliseconds to count again, because the next of them has come back; null without any. */
  snoozeEndsIn: z.nullable(z.number()),
  spam: z.number(),
  /** Of every status but spam. */
  unread: z.number(),
  /** In how many enquiries something waits for the caller to look at it. */
  notices: z.number(),
  /** Of the views that the caller has saved, by their ids: those that show only what is open, waiting or spam, and search for nothing. */
  saved: z.record(z.string(), z.number()),
  /** Whether so many are open or waiting that not all of them were read, so that every figure may be higher. */
  isPartial: z.boolean(),
})
export type ViewCounts = z.output<typeof ViewCounts>
