import { newId } from '../../src/database/id.ts'
import { bulk } from '../../src/features/inbox/bulk/contract.ts'
import { cannedReplies } from '../../src/features/inbox/canned/contract.ts'
import { type Message, messages } from '../../src/features/inbox/contract.ts'
import type { Entry } from '../../src/features/inbox/conversation/contract.ts'
import type { ViewCounts } from '../../src/features/inbox/messages/filter-contract.ts'
import { presence } from '../../src/features/inbox/presence/contract.ts'
import type { ScheduledReply } from '../../src/features/inbox/replies/contract.ts'
import { savedViews } from '../../src/features/inbox/views/contract.ts'
import { type FakeApi, Refusal } from './fake-api.ts'

/** Messages from `name 0`, `name 1` and so on. */
export const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at}`)

export interface Inbox {
  /** Newest first. */
  readonly messages: Message[]
  /** The history of the message that is open. */
  entries: Entry[]
  /** Of the message that is open. */
  draft: string
  scheduled: ScheduledReply[]
  /** Of a message, by its id. */
  isFollowing: (id: string) => boolean
}

/** Of an empty inbox. */
export const NO_COUNTS: ViewCounts = {
  ...{ open: 0, mine: 0, nobody: 0, overdue: 0, waiting: 0, snoozed: 0, snoozeEndsIn: null, spam: 0 },
  ...{ unread: 0, notices: 0, saved: {}, isPartial: false },
}

/** Answers the calls of the inbox, with a message of each of these people, the newest first. */
export function answerInbox(api: FakeApi, names: readonly string[]): Inbox {
  const inbox: Inbox = {
    messages: names.map(messageFrom),
    entries: [],
    draft: '',
    scheduled: [],
    isFollowing: () => false,
  }
  const draft = ({ draft: body }: Inbox) =>
    ({ kind: 'reply', body, version: 1, updatedAt: new Date().toISOString() }) as const
  const of = (id: string) => inbox.messages.findIndex(message => message.id === id)
  const unread = () => inbox.messages.filter(({ isRead }) => !isRead).length
  api.on(messages.list, ({ q = '', cursor, limit }) => {
    const start = cursor ? of(cursor) + 1 : 0
    const found = inbox.messages.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
    const page = found.slice(start, start + limit)
    return {
      messages: page,
      nextCursor: start + limit < found.length ? (page.at(-1)?.id ?? null) : null,
      unread: unread(),
    }
  })
  api.on(messages.counts, () => ({
    ...{ ...NO_COUNTS, open: inbox.messages.length, unread: unread() },
  }))
  api.on(messages.options, () => ({ staff: [], tags: [], timeZone: 'Australia/Sydney' }))
  api.on(messages.rows, ({ ids }) => ({
    messages: inbox.messages.filter(({ id }) => ids.split(',').includes(id)),
  }))
  api.on(messages.read, ({ id }) => {
    const at = of(id)
    const message = inbox.messages[at]
    if (!message) return new Refusal(404, { message: 'This enquiry no longer exists' })
    return {
      ...{
        message,
        isFollowing: inbox.isFollowing(id),
        deliveryError: null,
        notes: [],
        earlier: null,
        firstReply: null,
        drafts: inbox.draft ? [draft(inbox)] : [],
        samePerson: [],
      },
      newer: inbox.messages[at - 1]?.id ?? null,
      older: inbox.messages[at + 1]?.id ?? null,
      ...(inbox.scheduled.length > 0 && { scheduled: inbox.scheduled }),
      entries: inbox.entries,
      lastSeq: inbox.entries.length,
    }
  })
  api.on(messages.markRead, ({ id }) => {
    const message = inbox.messages[of(id)]
    if (message) inbox.messages[of(id)] = { ...message, isRead: true }
    return {}
  })
  api.on(messages.forward, () => ({}))
  api.on(messages.delete, ({ id }) => {
    const at = of(id)
    if (at < 0) return new Refusal(404, { message: 'This enquiry no longer exists' })
    inbox.messages.splice(at, 1)
    return {}
  })
  api.on(cannedReplies.list, () => ({
    cannedReplies: [],
    agent: null,
    agency: 'Landfall',
    signer: 'Ada Admin',
    signature: [],
  }))
  api.on(savedViews.list, () => ({ views: [] }))
  api.on(presence.look, () => ({ others: [] }))
  api.on(bulk.find, () => ({ found: [], nextCursor: null }))
  return inbox
}

/** @param age milliseconds */
export function messageFrom(name: string, age: number): Message {
  const time = new Date(Date.UTC(2026, 10, 23) - age)
  return {
    id: newId(time),
    reference: `LF-${age}`,
    name,
    email: `visitor${age}@visitor.test`,
    ...{ phone: null, service: null, message: `I am ${name}.`, excerpt: `I am ${name}.`, details: {} },
    ...{ formType: 'contact', isRead: false, verification: 'off', letter: null, status: 'open' },
    ...{ assignee: null, tags: [], snoozedUntil: null, dueAt: null, version: 1 },
    ...{ createdAt: time.toISOString(), lastActivityAt: time.toISOString() },
  }
}

/** Emails of the visitor, the oldest first. */
export function emails(count: number, more = ''): Entry[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ id: newId(new Date(at)), seq: at + 1, kind: 'inbound', author: null, cc: [], detail: null },
    body: `This is email ${at + 1}.${more}`,
    createdAt: new Date(Date.UTC(2026, 10, 23) + at * 60_000).toISOString(),
    ...{ delivery: null, deliveryError: null, sendsAt: null },
  }))
}
