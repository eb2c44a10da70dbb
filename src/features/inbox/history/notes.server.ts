import { sql } from 'kysely'
import { readAttachments } from '../../../attachments/store.server.ts'
import type { NoteRow } from '../../../database/conversation-tables.ts'
import type { Database } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { HttpError, throwHttpError } from '../../../http/http-error.ts'
import { recordChange } from '../../../live/record-change.server.ts'
import { isoAfter } from '../../../platform/clock.ts'
import { hasOriginal, toAttachments } from '../attachments/api.server.ts'
import { conversation, type Note } from '../conversation/contract.ts'
import { deleteDraft } from '../drafts/drafts.server.ts'
import { listColleagues } from '../messages/store.server.ts'
import { findMentions } from '../notices/mentions.ts'
import { addNotices } from '../notices/notices.server.ts'
import { addOnce, FEW, type Work } from './entries.server.ts'
import { type Merged, PAGE_STEPS, type Range, type Size } from './history.server.ts'

/** The only module that touches the table of notes. Nothing that writes an email may import it: `notes.test.ts`. */

/** The sizes of the newest notes about these messages before an id, the newest first: one more than a page can have. */
export async function listNoteSizes(
  db: Database,
  messageIds: readonly string[],
  before: string,
): Promise<Size[]> {
  return await db
    .selectFrom('notes')
    .select(['id', sql<number>`0`.as('seq'), sql<number>`octet_length(body)`.as('bytes')])
    .where('message_id', 'in', messageIds)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(PAGE_STEPS + 1)
    .execute()
}

/** The notes about a message and those that are merged into it, within a range of ids, oldest first. */
export async function readNotes(
  db: Database,
  messageId: string,
  merged: readonly Pick<Merged, 'id' | 'reference'>[],
  { from, before }: Range<string>,
): Promise<Note[]> {
  if (from === before) return []
  const origins = new Map(merged.map(({ id, reference }) => [id, { id, reference }]))
  const rows = await selectNotes(db)
    .where('message_id', 'in', [messageId, ...origins.keys()])
    .where('notes.id', '>=', from)
    .where('notes.id', '<', before)
    .orderBy('notes.id')
    .execute()
  const mailed = rows.filter(({ came_by_mail }) => came_by_mail === 1)
  const attachments = await readAttachments(
    db,
    mailed.map(({ id }) => id),
  )
  return rows.map(row => {
    const files = attachments.get(row.id)
    const beside = files && { attachments: toAttachments(files), hasOriginal: hasOriginal(files) }
    return { ...toNote(row), origin: origins.get(row.message_id), ...beside }
  })
}

/**
 * The texts of notes about these messages, the newest first, for the search of the inbox and nothing else.
 * @param most characters of one message's notes
 */
export async function noteTexts(
  db: Database,
  messageIds: readonly string[],
  most: number,
): Promise<Pick<NoteRow, 'message_id' | 'body'>[]> {
  const counted = db
    .selectFrom('notes')
    .select(['id', 'message_id', 'body'])
    .select(
      sql<number>`sum(length(body)) over (partition by message_id order by id desc rows unbounded preceding)`.as(
        'characters',
      ),
    )
    .where('message_id', 'in', messageIds)
  return await db
    .selectFrom(counted.as('counted'))
    .select(['message_id', 'body'])
    .where('characters', '<=', most)
    .orderBy('id', 'desc')
    .execute()
}

async function readNote(db: Database, id: string): Promise<Note | undefined> {
  const row = await selectNotes(db).where('notes.id', '=', id).executeTakeFirst()
  return row && toNote(row)
}

function selectNotes(db: Database) {
  return db
    .selectFrom('notes')
    .leftJoin('users', 'users.id', 'notes.author_id')
    .leftJoin('former_users as former', 'former.id', 'notes.author_id')
    .select(['notes.id', 'message_id', 'users.id as user_id', 'body', 'came_by_mail', 'notes.created_at'])
    .select(eb => eb.fn.coalesce('users.name', 'former.name').as('name'))
}

type Row = Awaited<ReturnType<ReturnType<typeof selectNotes>['execute']>>[number]

function toNote({ id, user_id, name, body, came_by_mail, created_at }: Row): Note {
  const author = name === null ? null : { id: user_id, name }
  return { id, author, body, createdAt: created_at, ...(came_by_mail === 1 && { isMail: true }) }
}

/** Of one message, and the bytes of all of them: far more than anybody reads again. */
export const MAX_NOTES = 2000
export const MAX_NOTES_BYTES = 8 * 1024 * 1024
const FULL = 'This enquiry has as many notes as one can have. Go on in another enquiry of this person.'

type NewNote = Omit<NoteRow, 'created_at' | 'came_by_mail'> & Partial<Pick<NoteRow, 'came_by_mail'>>

/** @throws {HttpError} 409 for a message that has too many already */
async function insertNote({ transaction, clock }: Work, note: NewNote): Promise<void> {
  await assertRoom(transaction, note)
  const row = { ...note, created_at: isoAfter(clock) }
  await transaction.insertInto('notes').values(row).execute()
  recordChange(transaction, clock, note.message_id)
}

async function assertRoom(transaction: Transaction, { message_id, body }: NewNote) {
  const own = transaction.selectFrom('notes').where('message_id', '=', message_id)
  const { count } = await own.select(eb => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  if (Number(count) < FEW) return
  const sum = sql<number | string>`sum(octet_length(body))`.as('bytes')
  const { bytes } = await own.select(sum).executeTakeFirstOrThrow()
  if (Number(count) >= MAX_NOTES || Number(bytes) + Buffer.byteLength(body) > MAX_NOTES_BYTES)
    throwHttpError(409, FULL, { code: 'conversation_full' })
}

/** Adds what came by mail from somebody who says that they are of the staff. @returns false when there is no room for it */
export async function addMailNote(work: Work, note: Omit<NewNote, 'came_by_mail'>): Promise<boolean> {
  try {
    await insertNote(work, { ...note, came_by_mail: 1 })
    return true
  } catch (error) {
    if (error instanceof HttpError) return false
    throw error
  }
}

/** Serves the call that adds a note, apart from everything that sends email. */
export function serveNotes(router: ApiRouter): void {
  const { services } = router
  const { db } = services

  serve(router, conversation.addNote, async (input, call) => {
    const { id: message_id, body } = input
    const author_id = call.user.id
    const added = await addOnce(services, { kind: 'note', input }, call, async (work, id) => {
      await deleteDraft(work.transaction, { messageId: message_id, userId: author_id }, 'note')
      await insertNote(work, { id, message_id, author_id, body })
      const isNaming = body.includes('@')
      const { named } = findMentions(body, isNaming ? await listColleagues(work.transaction) : [])
      await addNotices(work, 'mentioned', [message_id], named)
    })
    const note = (await readNote(db, added.id)) ?? throwHttpError(404, 'This enquiry no longer exists')
    return { note, version: added.version }
  })
}
