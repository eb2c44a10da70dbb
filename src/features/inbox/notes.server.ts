import { type Clock, isoAfter } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import type { Database } from '../../database/tables.ts'
import type { Transaction } from '../../database/transaction.ts'
import { recordChange } from '../../live/record-change.server.ts'
import type { Note } from './conversation-contract.ts'

/** The only module that touches the table of notes. Nothing that writes an email may import it: `notes.test.ts`. */

/** So that no conversation is read without bound. */
const MAX_NOTES = 1000

/** The notes about a message and those that are merged into it, oldest first. */
export async function listNotes(
  db: Database,
  messageId: string,
  merged: readonly { readonly id: string; readonly reference: string }[],
): Promise<Note[]> {
  const origins = new Map(merged.map(({ id, reference }) => [id, { id, reference }]))
  const rows = await db
    .selectFrom('notes')
    .leftJoin('users', 'users.id', 'notes.author_id')
    .select(['notes.id', 'message_id', 'author_id', 'users.name', 'body', 'notes.created_at'])
    .where('message_id', 'in', [messageId, ...origins.keys()])
    .orderBy('notes.id', 'desc')
    .limit(MAX_NOTES)
    .execute()
  return rows.toReversed().map(({ id, message_id, author_id, name, body, created_at }) => ({
    id,
    author: author_id !== null && name !== null ? { id: author_id, name } : null,
    body,
    createdAt: created_at,
    origin: origins.get(message_id),
  }))
}

export async function insertNote(
  transaction: Transaction,
  clock: Clock,
  messageId: string,
  author: { readonly id: string; readonly name: string },
  body: string,
): Promise<Note> {
  const note = { id: newId(clock()), body }
  const created_at = isoAfter(clock)
  await transaction
    .insertInto('notes')
    .values({ ...note, message_id: messageId, author_id: author.id, created_at })
    .execute()
  recordChange(transaction, clock, messageId)
  return { ...note, author: { id: author.id, name: author.name }, createdAt: created_at }
}
