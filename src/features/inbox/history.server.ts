import * as z from 'zod/mini'
import type { EntryRow } from '../../database/conversation-tables.ts'
import type { Database, MessageRow, OutboxRow } from '../../database/tables.ts'
import {
  CONSUMER_GUIDE_SENT,
  conversationKinds,
  type Entry,
  type MessageEvent,
} from './conversation-contract.ts'

/** So that no conversation is read without bound: far more than people say to each other. */
const MAX_ENTRIES = 1000

/** Events whose detail is the id of a user. */
const ABOUT_USERS: readonly MessageEvent[] = ['assigned', 'forwarded']

/** Events that the message into which something is merged has as well. */
const SHOWN_BY_TARGET: readonly MessageEvent[] = ['merged-into', 'unmerged']

const Addresses = z.array(z.string())

/** A message that is merged into the one that is shown. */
type Merged = Pick<MessageRow, 'id' | 'reference' | 'message' | 'created_at'>

/**
 * What belongs to messages that are merged into one, for its history: each enquiry as what the visitor said, and what came
 * after it. It moves no `lastSeq`: nobody works on them there.
 */
export async function readMerged(db: Database, merged: readonly Merged[]): Promise<Entry[]> {
  if (merged.length === 0) return []
  const origins = new Map(merged.map(({ id, reference }) => [id, { id, reference }]))
  const rows = await selectEntries(db)
    .where('entries.message_id', 'in', [...origins.keys()])
    .where(eb => eb.or([eb('entries.kind', '!=', 'event'), eb('entries.body', 'not in', SHOWN_BY_TARGET)]))
    .orderBy('entries.id', 'desc')
    .limit(MAX_ENTRIES)
    .execute()
  return [
    ...merged.map(message => ({ ...toEnquiry(message), origin: origins.get(message.id) })),
    ...rows.map(row => ({ ...toEntry(row), origin: origins.get(row.message_id) })),
  ]
}

function toEnquiry({ id, message, created_at }: Merged): Entry {
  return {
    ...{
      id,
      seq: 0,
      kind: 'inbound',
      author: null,
      body: message,
      detail: null,
      cc: [],
      createdAt: created_at,
    },
    ...{ delivery: null, deliveryError: null, sendsAt: null },
  }
}

/** The history of a message, oldest first. Only what the visitor and staff say to each other moves `lastSeq`. */
export async function readHistory(
  db: Database,
  messageId: string,
): Promise<{ entries: Entry[]; lastSeq: number }> {
  const rows = await selectEntries(db)
    .where('entries.message_id', '=', messageId)
    .orderBy('seq', 'desc')
    .limit(MAX_ENTRIES)
    .execute()
  const entries = rows.toReversed().map(toEntry)
  return { entries, lastSeq: entries.findLast(({ kind }) => kind !== 'event')?.seq ?? 0 }
}

/** What was said after the entry with this number. */
export async function readNewer(db: Database, messageId: string, seq: number): Promise<Entry[]> {
  const rows = await selectEntries(db)
    .where('entries.message_id', '=', messageId)
    .where('seq', '>', seq)
    .where('entries.kind', 'in', conversationKinds)
    .orderBy('seq')
    .limit(MAX_ENTRIES)
    .execute()
  return rows.map(toEntry)
}

export async function readEntry(db: Database, id: string): Promise<Entry | undefined> {
  const row = await selectEntries(db).where('entries.id', '=', id).executeTakeFirst()
  return row && toEntry(row)
}

function selectEntries(db: Database) {
  return db
    .selectFrom('entries')
    .leftJoin('users as author', 'author.id', 'entries.author_id')
    .leftJoin('users as colleague', join =>
      join.onRef('colleague.id', '=', 'entries.detail').on('entries.body', 'in', ABOUT_USERS),
    )
    .leftJoin('outbox', 'outbox.id', 'entries.id')
    .select([
      'entries.id',
      'entries.message_id',
      'entries.seq',
      'entries.kind',
      'entries.author_id',
      'entries.body',
      'entries.detail',
      'entries.cc',
      'entries.created_at',
      'author.name as author_name',
      'colleague.name as colleague_name',
      'outbox.state',
      'outbox.last_error',
      'outbox.due_at',
      'outbox.attempts',
    ])
}

type Row = Pick<
  EntryRow,
  'id' | 'message_id' | 'seq' | 'kind' | 'author_id' | 'body' | 'detail' | 'cc' | 'created_at'
> & {
  readonly author_name: string | null
  readonly colleague_name: string | null
} & { readonly [Key in 'state' | 'last_error' | 'due_at' | 'attempts']: OutboxRow[Key] | null }

function toEntry(row: Row): Entry {
  const { id, seq, kind, author_id, author_name, body, cc } = row
  return {
    id,
    seq,
    kind,
    author: author_id !== null && author_name !== null ? { id: author_id, name: author_name } : null,
    body,
    detail: detailOf(row),
    cc: cc === null ? [] : Addresses.parse(JSON.parse(cc)),
    createdAt: row.created_at,
    delivery: row.state,
    deliveryError: row.state === 'sent' ? null : row.last_error,
    sendsAt: kind === 'reply' && row.state === 'waiting' && row.attempts === 0 ? row.due_at : null,
  }
}

/** A user who was deleted has no name. */
function detailOf({ kind, body, detail, colleague_name }: Row): string | null {
  if (kind === 'reply' && detail === CONSUMER_GUIDE_SENT) return detail
  // The status before the merge, which its undoing restores.
  if (kind !== 'event' || body === 'merged-into') return null
  return ABOUT_USERS.some(event => event === body) ? colleague_name : detail
}
