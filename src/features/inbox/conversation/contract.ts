import * as z from 'zod/mini'
import { ById, Email, Empty } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { MAX_SENT } from '../attachments/contract.ts'
import { InboundMail } from '../mail-in/contract.ts'
import { statuses } from '../messages/filter-contract.ts'

/** Somebody who is or was a member of staff. */
export const Person = z.object({ id: z.string(), name: z.string() })
export type Person = z.output<typeof Person>

/** Who did something. A deleted user has no id, and the name that they had. */
const Author = z.object({ id: z.nullable(z.string()), name: z.string() })

/** Characters: a long letter, and within the 64 KiB of a request in any alphabet. */
export const MAX_TEXT = 20_000

/** Milliseconds between the press and the email, in which a reply can be taken back. */
export const UNDO_TIME = 10_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** As it is sent and stored: line breaks of one kind, and nothing that no keyboard writes. */
export const written = z.string('Write something').check(
  z.overwrite(body => body.toWellFormed().replaceAll('\r\n', '\n').replace(CONTROLS, '')),
  z.maxLength(MAX_TEXT, `A text must be at most ${MAX_TEXT} characters`),
)

/** What somebody has finished writing. */
export const text = written.check(z.trim(), z.minLength(1, 'Write something'))

/** The kinds of entries that make a reply out of date when its writer has not seen them. */
export const conversationKinds = ['reply', 'inbound', 'call'] as const

/** The message that something came with, when that one is merged into the message that is shown. */
const origin = z.optional(z.object({ id: z.string(), reference: z.string() }))

/** Who called: the visitor, or the office. */
export const callDirections = ['in', 'out'] as const
export const callOutcomes = ['reached', 'no-answer', 'left-message'] as const

const mail = InboundMail.shape

export const Entry = z.object({
  id: z.string(),
  seq: z.number(),
  kind: z.enum([...conversationKinds, 'event']),
  /** Null for what nobody did. */
  author: z.nullable(Author),
  /** What was said. Of an event, its action. */
  body: z.string(),
  /** Of an event, as the next two: what was done, `read`, `status`, `assigned` … */
  action: z.optional(z.nullable(z.string())),
  /** The status that the message had, and the new one, where it was changed. `statusBefore` of an old event may be null. */
  statusBefore: z.optional(z.nullable(z.enum(statuses))),
  statusAfter: z.optional(z.nullable(z.enum(statuses))),
  /**
   * Of an event: the new status, the tags, the end of the snooze, the name of the colleague whom it concerns,
   * or why a scheduled reply was not sent. Of a reply: `consumer-guide` when it sent that.
   */
  detail: z.nullable(z.string()),
  /** Who gets a copy of a reply. */
  cc: z.array(z.string()),
  createdAt: z.string(),
  /** The status of the email that a reply is sent as, or an acknowledgement. */
  delivery: z.nullable(z.enum(['sent', 'waiting', 'failed'])),
  /** Why it was not sent, or not yet. */
  deliveryError: z.nullable(z.string()),
  /** Until then a waiting reply can be undone. */
  sendsAt: z.nullable(z.string()),
  /** When its provider took it. */
  deliveredAt: z.optional(z.string()),
  /** Of a reply that is not out: the address that it is written to. */
  to: z.optional(z.string()),
  /** Of a reply that failed: who of all its recipients has not got it. */
  lacking: z.optional(z.array(z.string())),
  /** Of a phone call, as the next two: who called, the visitor (`in`) or the office. */
  direction: z.optional(z.enum(callDirections)),
  /** Only a call that reached the visitor answers them. */
  outcome: z.optional(z.enum(callOutcomes)),
  minutes: z.optional(z.number()),
  origin,
  /** The files of a mail that came from outside, or of a reply. */
  attachments: z.optional(mail.attachments),
  /** Only of a mail that came from outside, as the following. */
  from: z.optional(mail.from),
  subject: z.optional(mail.subject),
  recipients: z.optional(mail.recipients),
  quoted: z.optional(mail.quoted),
  automatic: z.optional(mail.automatic),
  sender: z.optional(mail.sender),
  mayBelongTo: z.optional(mail.mayBelongTo),
  problem: z.optional(mail.problem),
  hasFormatting: z.optional(mail.hasFormatting),
  hasOriginal: z.optional(mail.hasOriginal),
})
export type Entry = z.output<typeof Entry>

export const Note = z.object({
  id: z.string(),
  author: z.nullable(Author),
  body: z.string(),
  createdAt: z.string(),
  /** Whether it came by mail. Then its author is who that names as its sender, which anybody can forge. */
  isMail: z.optional(z.literal(true)),
  /** What came with it then, and whether the whole mail can be downloaded. */
  attachments: z.optional(mail.attachments),
  hasOriginal: z.optional(mail.hasOriginal),
  origin,
})
export type Note = z.output<typeof Note>

export const FirstReply = z.pick(Entry, { author: true, createdAt: true })
export type FirstReply = z.output<typeof FirstReply>

/** The newest 256 KiB of the history before a cursor. */
export const HistoryPage = z.object({
  /** Oldest first. */
  entries: z.array(Entry),
  /** What staff wrote for each other, oldest first. */
  notes: z.array(Note),
  /** The cursor of what came before; null at the beginning. */
  earlier: z.nullable(z.string()),
})
export type HistoryPage = z.output<typeof HistoryPage>

const draftKinds = ['reply', 'note'] as const

export const Draft = z.object({
  kind: z.enum(draftKinds),
  body: z.string(),
  /** One more with each change. */
  version: z.number(),
  updatedAt: z.string(),
})
export type Draft = z.output<typeof Draft>

/** So many people have a part in one application at most. */
export const MAX_CC = 10

const id = z.uuid('There is no such id')

export const Reply = z.strictObject({
  id,
  body: text,
  cc: z.optional(z.array(Email).check(z.maxLength(MAX_CC, `At most ${MAX_CC} people get a copy`))),
  /** The ids of files of the draft. */
  attachments: z.optional(
    z.array(id).check(
      z.maxLength(MAX_SENT, `At most ${MAX_SENT} files`),
      z.refine(ids => new Set(ids).size === ids.length, 'A file is sent once'),
    ),
  ),
  /** The `lastSeq` that the writer saw. */
  lastSeq: z.number().check(z.int(), z.gte(0)),
  status: z.optional(z.enum(['open', 'waiting', 'closed'])),
})
export type Reply = z.output<typeof Reply>

/** What the message has once somebody has worked on it; not in a reply that an earlier release has stored. */
const version = z.optional(z.number())

export const ReplyQueued = z.object({
  reply: z.object({ id: z.string(), seq: z.number(), sendsAt: z.string() }),
  version,
})
export type ReplyQueued = z.output<typeof ReplyQueued>

const DraftChange = z.strictObject({
  id,
  kind: z.enum(draftKinds),
  /** Empty deletes the draft. */
  body: written,
  /** What the draft had when the writer saw it; 0 without one. */
  version: z.optional(z.number().check(z.int(), z.gte(0))),
})
export type DraftChange = z.output<typeof DraftChange>

/** The detail of a reply that nobody wrote: it sent the Consumer Guide. */
export const CONSUMER_GUIDE_SENT = 'consumer-guide'

/** The detail of what a visitor wrote on the page of the enquiry. */
export const ON_PAGE = 'page'

/** Minutes: nobody is on the phone for longer than a day. */
export const MAX_CALL_MINUTES = 1440

const NewCall = z
  .strictObject({
    id,
    /** May be empty for a call that reached nobody. */
    body: written.check(z.trim()),
    direction: z.optional(z.enum(callDirections)),
    outcome: z._default(z.enum(callOutcomes), 'reached'),
    minutes: z.optional(
      z
        .number('Enter whole minutes')
        .check(
          z.int('Enter whole minutes'),
          z.gte(0, 'Enter whole minutes'),
          z.lte(MAX_CALL_MINUTES, `At most ${MAX_CALL_MINUTES} minutes`),
        ),
    ),
  })
  .check(
    z.refine(({ body, outcome }) => body !== '' || outcome !== 'reached', {
      path: ['body'],
      error: 'Write something',
    }),
  )
export type NewCall = z.output<typeof NewCall>

const OneReply = z.strictObject({ id, replyId: id })
const Text = z.strictObject({ id, body: text })

/** Positions in the own entries, in those of merged messages, and in the notes. */
const CURSOR = /^\d{1,9}(\.(g|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})){2}$/

/** Further calls of the inbox: what staff say to the visitor and to each other. */
export const conversation = {
  entries: endpoint({
    method: 'GET',
    path: '/api/messages/:id/entries',
    access: 'inbox:read',
    summary: 'Read the history of a message in pages, the newest first',
    input: z.strictObject({
      id,
      /** From `earlier`. */
      cursor: z.optional(z.string().check(z.regex(CURSOR, 'There is no such page'))),
    }),
    reply: HistoryPage,
  }),
  reply: endpoint({
    method: 'POST',
    path: '/api/messages/:id/replies',
    access: 'inbox:answer',
    summary: 'Reply to a message by email, ten seconds later',
    input: Reply,
    reply: ReplyQueued,
    status: 201,
    errorStatuses: [409, 422],
    headers: {
      'Idempotency-Key': 'The same for a repeat of the same reply, which is then sent once',
    },
  }),
  sendConsumerGuide: endpoint({
    method: 'POST',
    path: '/api/messages/:id/consumer-guide',
    access: 'inbox:answer',
    summary: 'Send the visitor the Consumer Guide, as a reply',
    input: z.pick(Reply, { id: true, lastSeq: true }),
    reply: ReplyQueued,
    status: 201,
    errorStatuses: [409, 422],
    headers: {
      'Idempotency-Key': 'The same for a repeat, which is then sent once',
    },
  }),
  revokeLinks: endpoint({
    method: 'DELETE',
    path: '/api/messages/:id/status-links',
    access: 'inbox:answer',
    summary: 'Revoke all links of the visitor to the page of an enquiry',
    input: z.strictObject({ id }),
    reply: z.object({ revoked: z.number() }),
    errorStatuses: [404, 409],
  }),
  undoReply: endpoint({
    method: 'DELETE',
    path: '/api/messages/:id/replies/:replyId',
    access: 'inbox:answer',
    summary: 'Take back a reply before it is sent',
    input: OneReply,
    reply: z.object({ body: z.string(), version }),
    errorStatuses: [409],
  }),
  retryReply: endpoint({
    method: 'POST',
    path: '/api/messages/:id/replies/:replyId/retry',
    access: 'inbox:answer',
    summary: 'Send a failed reply again',
    input: OneReply,
    reply: z.object({ version }),
    errorStatuses: [409],
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/api/messages/:id/notes',
    access: 'inbox:answer',
    summary: 'Write a note, which only staff read',
    input: Text,
    reply: z.object({ note: Note, version }),
    status: 201,
    errorStatuses: [409, 422],
    headers: {
      'Idempotency-Key': 'The same for a repeat of the same note, which is then stored once',
    },
  }),
  addCall: endpoint({
    method: 'POST',
    path: '/api/messages/:id/calls',
    access: 'inbox:answer',
    summary: 'Record a phone call, which answers the visitor if it reached them',
    input: NewCall,
    reply: z.object({ entry: Entry, version }),
    status: 201,
    errorStatuses: [409, 422],
    headers: {
      'Idempotency-Key': 'The same for a repeat of the same phone call, which is then stored once',
    },
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/api/messages/:id/draft',
    access: 'inbox:answer',
    summary: "Save or delete the caller's draft of a reply or a note",
    input: DraftChange,
    reply: Empty,
    errorStatuses: [409],
  }),
}

const path = '/api/messages/:id/merge'

/** Calls that make one conversation of two messages, and two of it again. */
export const merge = {
  into: endpoint({
    method: 'PUT',
    path,
    access: 'inbox:answer',
    summary: 'Merge a message into another, where it is shown and worked on from then on',
    input: z.extend(ById, {
      into: id,
      /** Needed when they came from different addresses: the one that gets the replies, which is that of `into`. */
      replyTo: z.optional(Email),
    }),
    reply: Empty,
    errorStatuses: [409],
  }),
  undo: endpoint({
    method: 'DELETE',
    path,
    access: 'inbox:answer',
    summary: 'Make a merged message one of its own again',
    input: ById,
    reply: Empty,
    errorStatuses: [409],
  }),
}
