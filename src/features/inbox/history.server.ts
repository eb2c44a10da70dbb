import * as z from 'zod/mini'
import type { EntryRow } from '../../database/conversation-tables.ts'
import type { Database, OutboxRow } from '../../database/tables.ts'
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

const Addresses = z.array(z.string())

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

export async function readEntry(db: Database, id: string): Promise<Entry> {
  return toEntry(await selectEntries(db).where('entries.id', '=', id).executeTakeFirstOrThrow())
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

type Row = Pick<EntryRow, 'id' | 'seq' | 'kind' | 'author_id' | 'body' | 'detail' | 'cc' | 'created_at'> & {
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
  if (kind !== 'event') return null
  return ABOUT_USERS.some(event => event === body) ? colleague_name : detail
}
