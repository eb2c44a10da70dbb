import { createHash } from 'node:crypto'
import { lockContent } from '../../content/documents.server.ts'
import type { PictureRow } from '../../database/picture-tables.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { AuditLog } from '../../log/logger.ts'
import { ChildFailed } from '../../pictures/child-process.server.ts'
import type { EncodedPicture } from '../../pictures/encoded.ts'
import { assertPicture } from '../../pictures/picture-rules.ts'
import { findPicture, insertPicture, measurePictures } from '../../pictures/store.server.ts'
import type { Services } from '../../services.ts'
import { QUOTA } from './contract.ts'

interface UploadCall {
  readonly user: { readonly name: string }
  readonly log: AuditLog
}

/**
 * Encodes an upload in all sizes and stores these; a file that was uploaded before is the picture that it became then.
 * @throws {HttpError} 400, 409, 415 or 503 with what to do
 */
export async function addPicture(
  { db, clock, pictures }: Pick<Services, 'db' | 'clock' | 'pictures'>,
  bytes: Uint8Array,
  { user, log }: UploadCall,
): Promise<PictureRow> {
  assertPicture(bytes)
  const id = createHash('sha256').update(bytes).digest('hex')
  const known = await findPicture(db, id)
  if (known) return known
  await assertRoom(db, 1)
  const encoded = await encode(pictures, bytes, log)
  return await inTransaction(db, async transaction => {
    await lockContent(transaction)
    const added = await findPicture(transaction, id)
    if (added) return added
    await assertRoom(transaction, sizeOf(encoded))
    const picture = await insertPicture(transaction, clock, id, encoded, user.name)
    const { width, height, bytes: stored } = picture
    await log.within(transaction, 'info', 'API', 'Picture added', {
      picture: id,
      width,
      height,
      bytes: stored,
    })
    return picture
  })
}

const sizeOf = ({ files }: EncodedPicture) => files.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** @throws {HttpError} 409 */
async function assertRoom(db: Database, bytes: number) {
  const used = await measurePictures(db)
  if (used + bytes <= QUOTA) return
  const megabytes = (count: number) => Math.ceil(count / 1024 / 1024)
  throwHttpError(
    409,
    `There is no room: the pictures take ${megabytes(used)} of ${megabytes(QUOTA)} MB. Delete some that no page uses.`,
    { code: 'quota_reached' },
  )
}

/** @throws {HttpError} 400, 503 */
async function encode(
  pictures: Services['pictures'],
  bytes: Uint8Array,
  log: AuditLog,
): Promise<EncodedPicture> {
  const outcome = await pictures.encoder.encode(bytes).catch(error => throwFailed(error, log))
  if (!('refused' in outcome)) return outcome
  if (outcome.refused === 'unreadable')
    throwHttpError(
      400,
      'This picture is damaged. Open it in a photo program, save it as a JPEG and upload that.',
    )
  throwHttpError(
    400,
    'This picture has too many fine details: even in a poor quality, visitors on a phone would wait for it. Choose a calmer one, or a part of it.',
  )
}

function throwFailed(error: unknown, log: AuditLog): never {
  const isTooSlow = error instanceof ChildFailed && error.isTooSlow
  const reason = error instanceof Error ? error.message : String(error)
  log('warning', 'API', 'Picture not encoded', { reason, isTooSlow })
  if (isTooSlow) throwHttpError(400, 'This picture takes too long to convert. Make it smaller first.')
  throwHttpError(503, 'This picture could not be converted. Please try again.', { retryAfter: 5 })
}
