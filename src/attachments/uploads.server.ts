import { createHash } from 'node:crypto'
import { isPostgres } from '../database/engine.ts'
import { firstIdAt, newId } from '../database/id.ts'
import { lock } from '../database/locks.ts'
import type { AttachmentRow } from '../database/mail-in-tables.ts'
import type { Database } from '../database/tables.ts'
import { inTransaction, type Transaction } from '../database/transaction.ts'
import { throwHttpError } from '../http/http-error.ts'
import { recordChange } from '../live/record-change.server.ts'
import { type Clock, days, isoAfter } from '../platform/clock.ts'
import { createPace, takeTurns } from '../platform/turns.ts'
import {
  CHUNK,
  chunkId,
  deleteAttachments,
  FileGone,
  findBlob,
  hasRoomToday,
  streamBlob,
  toBase64,
} from './store.server.ts'

/** Files that staff attach to a draft. They come in parts, so that a lost connection costs one part. */

/** Bytes that are stored in one transaction, for which others wait on SQLite. */
const AT_ONCE = 4 * CHUNK
/**
 * Several parts that arrive together would share a commit, for which everybody on SQLite waits. With less rest, twenty people who
 * attach 15 MB at once made one page in twenty take three times as long as without them.
 */
const inPace = createPace(24)
/** Bytes of files in the drafts of a day, as they were announced, of all and of one user. */
const MAX_DRAFTED = 1024 ** 3
const MAX_DRAFTED_BY_ONE = 100 * 1024 ** 2
/** After this an upload that is not complete is deleted. */
export const UPLOAD_LIFETIME = days(1)

/** Who is writing about which message. */
export interface Drafting {
  readonly messageId: string
  readonly userId: string
}

interface Store {
  readonly db: Database
  readonly clock: Clock
}

/** @returns its id @throws {HttpError} 409 when no more is kept today */
export async function insertUpload(
  { transaction, clock }: { readonly transaction: Transaction; readonly clock: Clock },
  { messageId, userId }: Drafting,
  file: Pick<AttachmentRow, 'name' | 'type' | 'size'>,
): Promise<string> {
  await lock(transaction, 'blobs')
  if (!(await hasRoomToday(transaction, clock)) || !(await hasRoomForDrafts(transaction, clock, userId)))
    throwHttpError(409, 'As many files have come today as are kept. Try again tomorrow.', { code: 'no_room' })
  const [id, created_at] = [newId(clock()), isoAfter(clock)]
  await transaction.insertInto('blobs').values({ sha256: id, size: 0, created_at }).execute()
  const place = { message_id: messageId, entry_id: userId, kind: 'draft', position: 0 } as const
  await transaction
    .insertInto('attachments')
    .values({ id, ...place, ...file, warning: null, sha256: id, received: 0, created_at })
    .execute()
  return id
}

async function hasRoomForDrafts(db: Database, clock: Clock, userId: string): Promise<boolean> {
  const drafted = db
    .selectFrom('attachments')
    .where('id', '>=', firstIdAt(new Date(clock().getTime() - days(1))))
    .where('kind', '=', 'draft')
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
  const all = await drafted.executeTakeFirstOrThrow()
  const own = await drafted.where('entry_id', '=', userId).executeTakeFirstOrThrow()
  return Number(all.bytes) < MAX_DRAFTED && Number(own.bytes) < MAX_DRAFTED_BY_ONE
}

/** One file of a draft. @throws {HttpError} 404 */
async function lockDrafted(
  transaction: Transaction,
  { messageId, userId }: Drafting,
  id: string,
): Promise<AttachmentRow> {
  const row = await transaction
    .selectFrom('attachments')
    .selectAll()
    .where('id', '=', id)
    .where('message_id', '=', messageId)
    .where('entry_id', '=', userId)
    .where('kind', '=', 'draft')
    .$if(isPostgres(transaction), query => query.forUpdate())
    .executeTakeFirst()
  return row ?? throwHttpError(404, 'This file is no longer attached')
}

interface Part {
  /** Of its first byte in the file. */
  readonly offset: number
  readonly bytes: Uint8Array
}

/**
 * Adds bytes to an upload, and completes it with the last of them. What was stored stays so when it fails halfway.
 * @throws {HttpError} 404; 409 with the offset from which it goes on; 413 for more than was announced
 */
export async function appendToUpload(
  { db, clock }: Store,
  drafting: Drafting,
  id: string,
  { offset, bytes }: Part,
): Promise<void> {
  let left = 0
  let start = 0
  do {
    const part = { offset: offset + start, bytes: bytes.subarray(start, start + AT_ONCE) }
    const append = () => inTransaction(db, transaction => appendPart(transaction, drafting, id, part))
    left = await (isPostgres(db) ? append() : inPace(append))
    start += AT_ONCE
  } while (start < bytes.length)
  if (left === 0) await complete({ db, clock }, drafting, id)
}

/** @returns how many bytes are missing after it */
async function appendPart(transaction: Transaction, drafting: Drafting, id: string, { offset, bytes }: Part) {
  const { size, received, sha256 } = await lockDrafted(transaction, drafting, id)
  if (sha256 === null) throwHttpError(404, 'This file named somebody who was erased')
  // The answer to the last part was lost, and it is sent again.
  if (received === null && offset + bytes.length === size) return 0
  if (received !== offset)
    throwHttpError(409, 'The file goes on from another place', {
      code: 'other_offset',
      fields: { offset: received ?? size },
    })
  const end = offset + bytes.length
  if (end > size) throwHttpError(413, 'This is more than the size of the file')
  // The last chunk may not be full.
  let position = Math.floor(offset / CHUNK)
  const begun = offset % CHUNK === 0 ? Buffer.alloc(0) : await readChunk(transaction, chunkId(id, position))
  const all = Buffer.concat([begun, bytes])
  for (let start = 0; start < all.length; start += CHUNK, position++) {
    const body = toBase64(all.subarray(start, start + CHUNK))
    await transaction
      .insertInto('blob_chunks')
      .values({ id: chunkId(id, position), sha256: id, body })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ body }))
      .execute()
  }
  await transaction.updateTable('attachments').set({ received: end }).where('id', '=', id).execute()
  await transaction.updateTable('blobs').set({ size: end }).where('sha256', '=', id).execute()
  return size - end
}

async function readChunk(db: Database, id: string): Promise<Buffer> {
  const chunk = db.selectFrom('blob_chunks').select('body').where('id', '=', id)
  return Buffer.from((await chunk.executeTakeFirstOrThrow()).body, 'base64')
}

/** From now on it is like every other attachment: of the same bytes that are stored already, it has those. */
async function complete({ db, clock }: Store, drafting: Drafting, id: string): Promise<void> {
  const uploaded = db.selectFrom('blobs').select(['sha256', 'size']).where('sha256', '=', id)
  const upload = await uploaded.where('hash', 'is', null).executeTakeFirst()
  // Another request has done so, or it was removed.
  if (!upload) return
  const hash = await hashOf(db, upload)
  if (hash === null) return
  await inTransaction(db, async transaction => {
    const { received } = await lockDrafted(transaction, drafting, id)
    if (received === null) return
    await lock(transaction, 'blobs')
    const known = await findBlob(transaction, hash)
    const attachment = transaction.updateTable('attachments').where('id', '=', id)
    await attachment.set({ sha256: known ?? id, received: null }).execute()
    if (known !== null) await transaction.deleteFrom('blobs').where('sha256', '=', id).execute()
    else await transaction.updateTable('blobs').set({ hash }).where('sha256', '=', id).execute()
    recordChange(transaction, clock, drafting.messageId)
  })
}

/** @returns null when it was removed meanwhile */
async function hashOf(db: Database, upload: { readonly sha256: string; readonly size: number }) {
  const hash = createHash('sha256')
  const pause = await takeTurns()
  try {
    for await (const chunk of streamBlob(db, upload)) {
      hash.update(chunk)
      await pause()
    }
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof FileGone) return null
    throw error
  }
}

/** What nobody has completed in a day. */
export async function deleteExpiredUploads({ db, clock }: Store): Promise<void> {
  const expired = db.selectFrom('attachments').select('id').where('received', 'is not', null)
  const rows = await expired.where('created_at', '<', isoAfter(clock, -UPLOAD_LIFETIME)).execute()
  // Somebody may complete one at this moment.
  await deleteAttachments(db, { by: 'id', ids: rows.map(({ id }) => id), isIncomplete: true })
}
