import * as z from 'zod/mini'
import {
  deleteAttachments,
  type ScannedAttachment,
  selectAttachments,
} from '../../../attachments/store.server.ts'
import { appendToUpload, type Drafting, insertUpload } from '../../../attachments/uploads.server.ts'
import { isPostgres } from '../../../database/engine.ts'
import { newId } from '../../../database/id.ts'
import { lock } from '../../../database/locks.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { throwFieldError, throwHttpError } from '../../../http/http-error.ts'
import { replyOnce } from '../../../http/idempotency.ts'
import type { IdempotencyKey } from '../../../http/idempotency-store.ts'
import { recordChange } from '../../../live/record-change.server.ts'
import { hours, isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { lockForWork } from '../history/entries.server.ts'
import { mayAnswer } from '../messages/store.server.ts'
import { type DraftFile, MAX_SENT, MAX_SENT_BYTES } from './contract.ts'

/** Files of a draft: they become files of the reply when that is sent, and of the draft again when it is taken back. */

/** Nobody attaches as many in an hour. */
export const UPLOADS_PER_USER = { name: 'attached files', count: 300, per: hours(1) }

const FULL = 'The space for files is full. An admin can make it larger in the settings.'
const GONE = 'You may no longer answer enquiries'

type Store = Pick<Services, 'db' | 'clock' | 'rateLimiter' | 'mail' | 'fileSpace'>

export async function listDraftFiles(db: Database, drafting: Drafting): Promise<DraftFile[]> {
  return (await selectDrafted(db, drafting).execute()).map(toDraftFile)
}

/** In the order in which they were attached. */
function selectDrafted(db: Database, { messageId, userId }: Drafting) {
  return selectAttachments(db)
    .where('message_id', '=', messageId)
    .where('entry_id', '=', userId)
    .where('kind', '=', 'draft')
    .orderBy('attachments.id')
}

function toDraftFile(row: ScannedAttachment): DraftFile {
  const { id, name, size, type, received } = row
  return { id, name, size, type, received: received ?? size, state: stateOf(row) }
}

function stateOf({ sha256, received, found }: ScannedAttachment): DraftFile['state'] {
  if (found !== null) return 'locked'
  if (sha256 === null) return 'gone'
  return received === null ? 'kept' : 'uploading'
}

interface NewUpload {
  readonly name: string
  readonly type: string
  /** Bytes of the whole file, and the first of them. */
  readonly size: number
  readonly bytes: Uint8Array
}

/** The stored reply of a repeat. */
const Added = z.object({ id: z.string() })

/** @returns the file, with its first bytes @throws {HttpError} 404; 409 when there is no room; 413; 422; 429 */
export async function addUpload(
  { db, clock, rateLimiter, mail, fileSpace }: Store,
  drafting: Drafting,
  { bytes, ...file }: NewUpload,
  key: IdempotencyKey | null,
): Promise<DraftFile> {
  if (file.size === 0) throwFieldError('bytes', 'This file is empty')
  if (bytes.length > file.size) throwHttpError(413, 'This is more than the size of the file')
  const most = await maxSentBytes(mail)
  if (!(await fileSpace.hasRoom())) throwHttpError(409, FULL, { code: 'no_room' })
  const { id } = await replyOnce({ db, clock }, key, Added, attempt =>
    inTransaction(db, async transaction => {
      await lockForWork(transaction, drafting.messageId)
      // With a deleted user go their files: none may come after that.
      if (!(await mayAnswer(transaction, drafting.userId))) throwHttpError(404, GONE)
      await rateLimiter.consumeInTransaction(transaction, [UPLOADS_PER_USER], drafting.userId)
      await assertFits(transaction, drafting, { size: file.size, most })
      const added = { id: await insertUpload({ transaction, clock }, drafting, file) }
      await attempt.storeReply(transaction, added)
      return added
    }),
  )
  const begun = await readDraftFile(db, drafting, id)
  const { state, received, size } = begun
  // A repeat whose first answer was lost. Of a long one, the rest may be missing.
  if (state !== 'uploading' || (received >= bytes.length && received < size)) return begun
  return await append({ db, clock }, drafting, id, { offset: received, bytes: bytes.subarray(received) })
}

/** @throws {HttpError} as `appendToUpload` does */
export async function append(
  store: Pick<Store, 'db' | 'clock'>,
  drafting: Drafting,
  id: string,
  part: Parameters<typeof appendToUpload>[3],
): Promise<DraftFile> {
  await appendToUpload(store, drafting, id, part)
  return await readDraftFile(store.db, drafting, id)
}

async function readDraftFile(db: Database, drafting: Drafting, id: string): Promise<DraftFile> {
  const row = await selectDrafted(db, drafting).where('attachments.id', '=', id).executeTakeFirst()
  return row ? toDraftFile(row) : throwHttpError(404, 'This file is no longer attached')
}

/** Bytes of the files of one reply together, with the mail provider that there is now. */
export const maxSentBytes = async (mail: Services['mail']): Promise<number> =>
  Math.min(MAX_SENT_BYTES, await mail.maxFileBytes())

interface Room {
  readonly size: number
  /** What fits together. */
  readonly most: number
}

async function assertFits(transaction: Transaction, drafting: Drafting, { size, most }: Room) {
  const files = await listDraftFiles(transaction, drafting)
  if (files.length >= MAX_SENT)
    throwHttpError(409, `A reply has at most ${MAX_SENT} files`, { code: 'too_many_files' })
  if (sizeOf(files) + size > most) throwTooLarge(most)
}

const sizeOf = (files: readonly Pick<DraftFile, 'size'>[]) => files.reduce((sum, { size }) => sum + size, 0)

function throwTooLarge(most: number): never {
  const who = most < MAX_SENT_BYTES ? 'Your mail provider takes' : 'A reply takes'
  throwHttpError(413, `${who} at most ${most / 1024 ** 2} MB of files together`, { code: 'files_too_large' })
}

/** Attaches what is in the conversation already. @throws {HttpError} 404, 409, 413 */
export async function copyToDraft(
  { db, clock, rateLimiter, mail }: Store,
  drafting: Drafting,
  attachmentId: string,
): Promise<DraftFile> {
  const most = await maxSentBytes(mail)
  const id = await inTransaction(db, async transaction => {
    const message = await lockForWork(transaction, drafting.messageId)
    if (!(await mayAnswer(transaction, drafting.userId))) throwHttpError(404, GONE)
    await rateLimiter.consumeInTransaction(transaction, [UPLOADS_PER_USER], drafting.userId)
    // Its bytes are not deleted before they have this attachment, too.
    await lock(transaction, 'blobs')
    const file = await transaction
      .selectFrom('attachments')
      .innerJoin('messages', 'messages.id', 'attachments.message_id')
      .selectAll('attachments')
      .where('attachments.id', '=', attachmentId)
      .where('kind', '=', 'file')
      .innerJoin('blobs', 'blobs.sha256', 'attachments.sha256')
      .where('blobs.found', 'is', null)
      .where(eb => eb.or([eb('messages.id', '=', message.id), eb('messages.merged_into', '=', message.id)]))
      .executeTakeFirst()
    if (!file) throwHttpError(404, 'This file is not kept')
    await assertFits(transaction, drafting, { size: file.size, most })
    const place = { message_id: message.id, entry_id: drafting.userId, kind: 'draft', position: 0 } as const
    // Named now, after what an erasure has read: it reads what is newer once more.
    const id = newId(clock())
    const draft = { ...file, ...place, id, created_at: isoAfter(clock) }
    await transaction.insertInto('attachments').values(draft).execute()
    recordChange(transaction, clock, message.id)
    return id
  })
  return await readDraftFile(db, drafting, id)
}

/** What is removed already is no error. @throws {HttpError} 409 for what is on its way by now */
export async function removeDraftFile(
  { db, clock }: Pick<Store, 'db' | 'clock'>,
  drafting: Drafting,
  id: string,
): Promise<void> {
  await inTransaction(db, async transaction => {
    const files = transaction.selectFrom('attachments').select(['kind', 'entry_id']).where('id', '=', id)
    const file = await files
      .where('message_id', '=', drafting.messageId)
      .$if(isPostgres(transaction), query => query.forUpdate())
      .executeTakeFirst()
    if (file?.kind === 'file') throwHttpError(409, 'This file has been sent', { code: 'file_sent' })
    if (file?.entry_id !== drafting.userId) return
    await deleteAttachments(transaction, { by: 'id', ids: [id] })
    recordChange(transaction, clock, drafting.messageId)
  })
}

/**
 * Makes files of a draft those of the reply that is sent, in the order of their ids.
 * @throws {HttpError} as `assertDraftFiles` does
 */
export async function sendDraftFiles(
  transaction: Transaction,
  drafting: Drafting,
  { entryId, ...sent }: SentFiles & { readonly entryId: string },
): Promise<void> {
  await assertDraftFiles(transaction, drafting, sent)
  for (const [position, id] of sent.ids.entries())
    await transaction
      .updateTable('attachments')
      .set({ kind: 'file', entry_id: entryId, position })
      .where('id', '=', id)
      .execute()
}

interface SentFiles {
  readonly ids: readonly string[]
  /** Bytes that can go out together. */
  readonly most: number
}

/** @throws {HttpError} 409 for a file of a draft that is not there or not complete; 413 */
export async function assertDraftFiles(
  transaction: Transaction,
  drafting: Drafting,
  { ids, most }: SentFiles,
): Promise<void> {
  if (ids.length === 0) return
  const drafted = selectDrafted(transaction, drafting).where('attachments.id', 'in', ids)
  const rows = await drafted.$if(isPostgres(transaction), query => query.forUpdate('attachments')).execute()
  const files = ids.map(id => rows.find(row => row.id === id) ?? throwMissing())
  for (const file of files) if (stateOf(file) !== 'kept') throwMissing(file.name)
  if (sizeOf(files) > most) throwTooLarge(most)
}

/** @throws {HttpError} always */
function throwMissing(name = 'One of the files'): never {
  throwHttpError(409, `${name} cannot be sent as it is. Remove it, and attach it again.`, {
    code: 'file_missing',
  })
}

/** The files of a reply that is taken back. */
export async function returnDraftFiles(
  transaction: Transaction,
  { messageId, userId }: Drafting,
  entryId: string,
): Promise<void> {
  await transaction
    .updateTable('attachments')
    .set({ kind: 'draft', entry_id: userId, message_id: messageId, position: 0 })
    .where('entry_id', '=', entryId)
    .execute()
}

/** Gives all files of somebody's drafts to a colleague, also of those that have no text. */
export async function giveDraftFiles(
  db: Database,
  { from, to }: { readonly from: string; readonly to: string },
) {
  const drafted = db.updateTable('attachments').set({ entry_id: to }).where('kind', '=', 'draft')
  await drafted.where('entry_id', '=', from).execute()
}

/** Gives the files of drafts about a message, or of this user's drafts about it, to another message or user. */
export async function moveDraftFiles(
  transaction: Transaction,
  from: Pick<Drafting, 'messageId'> & Partial<Drafting>,
  to: Partial<Drafting>,
): Promise<void> {
  await transaction
    .updateTable('attachments')
    .set({
      ...(to.messageId && { message_id: to.messageId }),
      ...(to.userId && { entry_id: to.userId }),
    })
    .where('kind', '=', 'draft')
    .where('message_id', '=', from.messageId)
    .$if(from.userId !== undefined, query => query.where('entry_id', '=', from.userId ?? ''))
    .execute()
}
