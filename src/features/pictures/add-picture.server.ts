import { createHash } from 'node:crypto'
import { lock } from '../../database/locks.ts'
import type { Database, PictureRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { AuditLog } from '../../log/logger.ts'
import { ChildFailed } from '../../pictures/child-process.server.ts'
import type { EncodedPicture } from '../../pictures/encoded.ts'
import {
  type Damage,
  type Inspected,
  inspectPicture,
  MAX_PIXELS,
  MAX_PROPORTION,
} from '../../pictures/inspect-picture.ts'
import type { PictureKind } from '../../pictures/sizes.ts'
import { findByHash, findSame, insertPicture, measurePictures } from '../../pictures/store.server.ts'
import type { Services } from '../../services.ts'
import { LOGO_SIDE, QUOTA } from './contract.ts'

export interface UploadCall {
  readonly user: { readonly id: string; readonly name: string }
  readonly log: AuditLog
}

/**
 * Encodes an upload in all sizes and stores these; a file that was uploaded before is the picture that it became then.
 * @param wanted the id that it has in another installation, which it keeps if that is free
 * @throws {HttpError} 400, 409, 415 or 503 with what to do
 */
export async function addPicture(
  { db, clock, pictures }: Pick<Services, 'db' | 'clock' | 'pictures'>,
  bytes: Uint8Array,
  { user, log }: UploadCall,
  kind: PictureKind,
  wanted: string | null = null,
): Promise<PictureRow> {
  const inspected = assertPicture(bytes)
  if (kind === 'logo') assertLogo(inspected)
  // The same file as a logo is another picture, which has more sizes.
  const sha256 = createHash('sha256')
    .update(kind === 'logo' ? 'logo ' : '')
    .update(bytes)
    .digest('hex')
  const known = (await findByHash(db, sha256)) ?? (wanted && (await findSame(db, wanted, bytes)))
  if (known) return known
  await assertRoom(db, 1)
  const encoded = await encode(pictures, bytes, kind, log)
  return await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    const added = await findByHash(transaction, sha256)
    if (added) return added
    await assertRoom(transaction, sizeOf(encoded))
    const picture = await insertPicture(transaction, clock, sha256, encoded, user.name, wanted)
    const { id, width, height, bytes: stored } = picture
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
async function encode(pictures: Services['pictures'], bytes: Uint8Array, kind: PictureKind, log: AuditLog) {
  const outcome = await pictures.encoder.encode(bytes, kind).catch(error => throwFailed(error, log))
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

const damages: Record<Damage, string> = {
  'cut off': 'This picture is cut off: its end is missing. Copy it again and try once more.',
  animated: 'This picture is animated. Save one frame of it as a JPEG and upload that.',
  damaged: 'This picture is damaged. Open it in a photo program, save it as a JPEG and upload that.',
}

/** Decides by the bytes of a file whether it may be decoded. @throws {HttpError} 400 or 415 with what to do */
function assertPicture(bytes: Uint8Array): Inspected {
  if (bytes.length === 0) throwHttpError(400, 'This file is empty')
  const inspected = inspectPicture(bytes)
  if (inspected === null)
    throwHttpError(415, 'This is not a JPEG, PNG or WebP picture. Save it as a JPEG and upload that.')
  if (typeof inspected === 'string') throwHttpError(400, damages[inspected])
  assertSize(inspected)
  return inspected
}

/** @throws {HttpError} 400 or 415 */
function assertLogo({ format, width, height }: Inspected): void {
  if (format !== 'png') throwHttpError(415, 'A logo is a PNG. The portal draws one from any picture.')
  const { least, most } = LOGO_SIDE
  if (width !== height || width < least || width > most)
    throwHttpError(400, `A logo is square, with ${least} to ${most} pixels on each side.`)
}

function assertSize({ width, height }: Inspected) {
  if (width < 1 || height < 1) throwHttpError(400, damages.damaged)
  const megapixels = Math.round((width * height) / 1_000_000)
  if (width * height > MAX_PIXELS)
    throwHttpError(
      400,
      `This picture has ${megapixels} megapixels, and 12 are the most. Make it smaller first.`,
    )
  if (Math.max(width, height) > MAX_PROPORTION * Math.min(width, height))
    throwHttpError(400, 'This picture is too long and thin. Cut a part out of it and upload that.')
}
