import type { Expression, Selectable, SqlBool } from 'kysely'
import { newId } from '../database/id.ts'
import { lock } from '../database/locks.ts'
import type { AttachmentRow, MailInTables } from '../database/mail-in-tables.ts'
import type { Database } from '../database/tables.ts'
import { inTransaction, type Transaction } from '../database/transaction.ts'
import { inBatches } from '../erasure/in-pages.ts'
import { type Clock, days, isoAfter, seconds } from '../platform/clock.ts'

/** Files of conversations, and whole mails, in SQL: each content once, in chunks. */

/** Bytes. */
export const CHUNK = 256 * 1024
/** Bytes that are kept of what comes in a day: nobody may fill the disk by mail. What is imported has come before. */
const MAX_PER_DAY = 2 * 1024 ** 3

/** An attachment that is about to be stored. */
export interface NewAttachment extends Pick<AttachmentRow, 'kind' | 'name' | 'type' | 'size' | 'warning'> {
  /** Its bytes and their hash, in hex; null for what is only named. */
  readonly content: { readonly bytes: Uint8Array; readonly sha256: string } | null
}

/** What they come with, and when. */
interface Place extends Pick<AttachmentRow, 'message_id' | 'entry_id' | 'created_at'> {}

/**
 * Stores attachments, or only their names when the space for them is full or very much has come today.
 * @param clock names them, since they came at another time @returns whether they are kept
 */
export async function addAttachments(
  { transaction, clock }: { readonly transaction: Transaction; readonly clock: Clock },
  place: Place,
  attachments: readonly NewAttachment[],
  isSpace: boolean,
): Promise<boolean> {
  if (attachments.length === 0) return true
  await lock(transaction, 'blobs')
  const isEarlier = place.created_at < isoAfter(clock, -days(1))
  const isRoom = isSpace && (isEarlier || (await hasRoomToday(transaction, clock)))
  for (const [position, { content, ...attachment }] of attachments.entries()) {
    if (attachment.kind === 'original' && !isRoom) continue
    const sha256 = content && isRoom ? await addBlob(transaction, place, content) : null
    const row = { ...attachment, ...place, id: newId(clock()), position, sha256 }
    await transaction.insertInto('attachments').values(row).execute()
  }
  return isRoom
}

/** Whether more may be kept today. */
export async function hasRoomToday(db: Database, clock: Clock): Promise<boolean> {
  const { bytes } = await db
    .selectFrom('blobs')
    .where('created_at', '>=', isoAfter(clock, -days(1)))
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes) < MAX_PER_DAY
}

/** @returns the key of what is stored, perhaps since before */
async function addBlob(
  transaction: Transaction,
  { created_at }: Place,
  { bytes, sha256 }: NonNullable<NewAttachment['content']>,
): Promise<string> {
  const known = await findBlob(transaction, sha256)
  if (known !== null) return known
  const row = { sha256, hash: sha256, size: bytes.length, created_at }
  await transaction.insertInto('blobs').values(row).execute()
  for (let position = 0; position * CHUNK < bytes.length; position++) {
    const body = toBase64(bytes.subarray(position * CHUNK, (position + 1) * CHUNK))
    await transaction
      .insertInto('blob_chunks')
      .values({ id: chunkId(sha256, position), sha256, body })
      .execute()
  }
  return sha256
}

/** The key of the blob with this hash. Its caller has the lock `blobs`, so that no other is stored meanwhile. */
export async function findBlob(transaction: Transaction, sha256: string): Promise<string | null> {
  const stored = transaction
    .selectFrom('blobs')
    .select('sha256')
    .where(eb => eb.or([eb('hash', '=', sha256), eb('sha256', '=', sha256)]))
  return (await stored.executeTakeFirst())?.sha256 ?? null
}

export const toBase64 = ({ buffer, byteOffset, length }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, length).toString('base64')

export const chunkId = (key: string, position: number) => `${key}-${String(position).padStart(4, '0')}`

/** An attachment, and what the scanner said of its bytes. */
export type ScannedAttachment = AttachmentRow &
  Pick<Selectable<MailInTables['blobs']>, 'scanned_at' | 'found'>

export function selectAttachments(db: Database) {
  return db
    .selectFrom('attachments')
    .leftJoin('blobs', 'blobs.sha256', 'attachments.sha256')
    .selectAll('attachments')
    .select(['blobs.scanned_at', 'blobs.found'])
}

/** Those that came with some entries, by the id of the entry, in their order. */
export async function readAttachments(db: Database, entryIds: readonly string[]) {
  if (entryIds.length === 0) return new Map<string, ScannedAttachment[]>()
  const rows = selectAttachments(db).where('entry_id', 'in', entryIds)
  return Map.groupBy(await rows.orderBy('position').execute(), ({ entry_id }) => entry_id)
}

/** How many files came with some messages or went out, kept or not. */
export async function countAttachments(db: Database, messageIds: readonly string[]): Promise<number> {
  if (messageIds.length === 0) return 0
  const files = db.selectFrom('attachments').where('kind', '=', 'file').where('message_id', 'in', messageIds)
  return Number((await files.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
}

/** An attachment of a message, also one of this user's draft, or the whole mail that an entry was. */
type Wanted = { readonly id: string; readonly userId: string } | { readonly originalOf: string }

/** @returns its name and bytes; undefined for one that is not kept, locked, not complete, or of another message or draft */
export async function openAttachment(db: Database, messageId: string, wanted: Wanted) {
  const attachment = await db
    .selectFrom('attachments')
    .innerJoin('messages', 'messages.id', 'attachments.message_id')
    .innerJoin('blobs', 'blobs.sha256', 'attachments.sha256')
    .select(['attachments.name', 'attachments.type', 'blobs.sha256', 'blobs.size'])
    .where('received', 'is', null)
    .where('blobs.found', 'is', null)
    // Also of a message that is merged into this one, which is shown with it.
    .where(eb => eb.or([eb('messages.id', '=', messageId), eb('messages.merged_into', '=', messageId)]))
    .where((eb): Expression<SqlBool> => {
      if ('id' in wanted) {
        const isOpen = eb.or([eb('kind', '!=', 'draft'), eb('attachments.entry_id', '=', wanted.userId)])
        return eb.and([eb('attachments.id', '=', wanted.id), isOpen])
      }
      return eb.and([
        eb('attachments.entry_id', '=', wanted.originalOf),
        eb('attachments.kind', '=', 'original'),
      ])
    })
    .executeTakeFirst()
  if (!attachment) return undefined
  const { name, type, size } = attachment
  return { name, type, size, body: streamBlob(db, attachment) }
}

/** It was deleted while it was read. */
export class FileGone extends Error {
  constructor() {
    super('The file is gone')
  }
}

/** What an email takes along, in this order. @returns null when one of them is gone, or locked */
export async function readContents(db: Database, ids: readonly string[]) {
  const attachments = db.selectFrom('attachments').innerJoin('blobs', 'blobs.sha256', 'attachments.sha256')
  const rows = await attachments
    .select(['attachments.id', 'name', 'type', 'blobs.sha256', 'blobs.size'])
    .where('attachments.id', 'in', ids)
    .where('blobs.found', 'is', null)
    .execute()
  const contents = []
  for (const id of ids) {
    const row = rows.find(it => it.id === id)
    if (!row) return null
    const content = await readBlob(db, row)
    if (!content) return null
    contents.push({ name: row.name, type: row.type, content })
  }
  return contents
}

async function readBlob(db: Database, blob: Parameters<typeof streamBlob>[1]): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of streamBlob(db, blob)) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch (error) {
    if (error instanceof FileGone) return null
    throw error
  }
}

export function streamBlob(
  db: Database,
  { sha256, size }: { readonly sha256: string; readonly size: number },
) {
  let position = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (position * CHUNK >= size) return controller.close()
        const chunk = db.selectFrom('blob_chunks').select('body').where('id', '=', chunkId(sha256, position))
        const row = await chunk.executeTakeFirst()
        // It was deleted meanwhile, and half of it must not be taken for the whole.
        if (!row) throw new FileGone()
        controller.enqueue(Buffer.from(row.body, 'base64'))
        position += 1
      },
    },
    // Nothing is read before somebody asks: a HEAD request never does.
    { highWaterMark: 0 },
  )
}

/** Which attachments: by their ids, those of their messages, or of what they came with. */
interface Which {
  readonly by: 'id' | 'message_id' | 'entry_id'
  readonly ids: readonly string[]
  readonly kind?: AttachmentRow['kind']
  /** Only uploads of which something is missing. */
  readonly isIncomplete?: true
}

/** Deletes attachments, and the bytes that no other has. @returns how many */
export async function deleteAttachments(
  db: Database,
  { by, ids, kind, isIncomplete }: Which,
): Promise<number> {
  return await inTransaction(db, async transaction => {
    const keys: (string | null)[] = []
    for (const some of inBatches(ids)) {
      const attachments = transaction.deleteFrom('attachments').where(by, 'in', some)
      const deleted = attachments
        .$if(kind !== undefined, query => query.where('kind', '=', kind ?? 'file'))
        .$if(isIncomplete === true, query => query.where('received', 'is not', null))
      keys.push(...(await deleted.returning('sha256').execute()).map(({ sha256 }) => sha256))
    }
    await deleteUnused(transaction, keys)
    return keys.length
  })
}

/** The attachment stays by its name, and its bytes go if no other has them. */
export async function forgetContent(db: Database, id: string): Promise<void> {
  await inTransaction(db, async transaction => {
    const attachment = transaction.selectFrom('attachments').select('sha256').where('id', '=', id)
    const row = await attachment.executeTakeFirst()
    await transaction
      .updateTable('attachments')
      .set({ sha256: null, received: null })
      .where('id', '=', id)
      .execute()
    await deleteUnused(transaction, [row?.sha256 ?? null])
  })
}

async function deleteUnused(transaction: Transaction, keys: readonly (string | null)[]) {
  const known = [...new Set(keys)].filter(key => key !== null)
  if (known.length === 0) return
  await lock(transaction, 'blobs')
  for (const some of inBatches(known))
    await transaction
      .deleteFrom('blobs')
      .where('sha256', 'in', some)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(selectFrom('attachments').select('id').whereRef('attachments.sha256', '=', 'blobs.sha256')),
        ),
      )
      .execute()
}

/** In bytes. */
export interface FileSpace {
  readonly used: number
  readonly most: number
}

/** Milliseconds for which a sum counts: an import must not add up all files for each of its mails. */
const SUM_LASTS = seconds(10)

/**
 * What the files and whole mails of all conversations take in the database, and may take. Once it is full, of mail that comes only
 * the names of its files are kept, and nobody attaches anything.
 * @param readMost bytes
 */
export function createFileSpace(db: Database, clock: Clock, readMost: () => Promise<number>) {
  let summed: { readonly at: number; readonly bytes: number } | null = null

  async function sum(): Promise<number> {
    const now = clock().getTime()
    if (summed && Math.abs(now - summed.at) < SUM_LASTS) return summed.bytes
    const all = db.selectFrom('blobs').select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    const bytes = Number((await all.executeTakeFirstOrThrow()).bytes)
    summed = { at: now, bytes }
    return bytes
  }

  async function read(): Promise<FileSpace> {
    const [used, most] = await Promise.all([sum(), readMost()])
    return { used, most }
  }

  return {
    read,
    async hasRoom(): Promise<boolean> {
      const { used, most } = await read()
      return used < most
    },
  }
}
