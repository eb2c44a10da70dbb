import { type Clock, isoAfter } from '../../clock.ts'
import type { NoteRow } from '../../database/conversation-tables.ts'
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
  const rows = await selectNotes(db)
    .where('message_id', 'in', [messageId, ...origins.keys()])
    .orderBy('notes.id', 'desc')
    .limit(MAX_NOTES)
    .execute()
  return rows.toReversed().map(row => ({ ...toNote(row), origin: origins.get(row.message_id) }))
}

export async function readNote(db: Database, id: string): Promise<Note | undefined> {
  const row = await selectNotes(db).where('notes.id', '=', id).executeTakeFirst()
  return row && toNote(row)
}

function selectNotes(db: Database) {
  return db
    .selectFrom('notes')
    .leftJoin('users', 'users.id', 'notes.author_id')
    .select(['notes.id', 'message_id', 'author_id', 'users.name', 'body', 'notes.created_at'])
}

function toNote({ id, author_id, name, body, created_at }: NoteRow & { readonly name: string | null }): Note {
  const author = author_id !== null && name !== null ? { id: author_id, name } : null
  return { id, author, body, createdAt: created_at }
}

export async function insertNote(
  transaction: Transaction,
  clock: Clock,
  note: Omit<NoteRow, 'created_at'>,
): Promise<void> {
  const row = { ...note, created_at: isoAfter(clock) }
  await transaction.insertInto('notes').values(row).execute()
  recordChange(transaction, clock, note.message_id)
}
