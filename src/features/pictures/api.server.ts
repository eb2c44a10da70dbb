import { lock } from '../../database/locks.ts'
import type { PictureRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Credentials } from '../../http/request-checks.ts'
import type { AuditLog } from '../../log/logger.ts'
import { type PictureKind, pictureUrl, widths } from '../../pictures/sizes.ts'
import {
  deletePicture,
  findPicture,
  listPictures as listRows,
  listUses,
  measurePictures,
  type PictureUseRow,
} from '../../pictures/store.server.ts'
import { hours } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { addPicture, type UploadCall } from './add-picture.server.ts'
import { pictures as calls, type Picture, type PictureUse, QUOTA } from './contract.ts'

/** Serves the pictures that staff put on the pages. Call it before the calls of documents, whose ids match its path. */
export function servePictures(router: ApiRouter): void {
  const { services } = router
  function acquireSlot({ user }: Pick<Credentials, 'user'>) {
    const id = user?.id ?? ''
    services.rateLimiter.check(UPLOADS_PER_USER, id)
    return services.pictures.encoder.acquireSlot(id) ?? throwBusy()
  }

  async function upload(
    bytes: Uint8Array,
    call: UploadCall,
    kind: PictureKind,
    wanted: string | null = null,
  ) {
    await services.rateLimiter.consume(UPLOADS_PER_USER, call.user.id)
    return { picture: toPicture(await addPicture(services, bytes, call, kind, wanted)) }
  }

  serve(router, calls.upload, async ({ bytes }, call) => await upload(bytes, call, 'picture'), {
    acquireSlot,
  })

  // Before the call with an id, which would match its path.
  serve(router, calls.uploadLogo, async ({ bytes }, call) => await upload(bytes, call, 'logo'), {
    acquireSlot,
  })

  serve(router, calls.keep, async ({ id, bytes }, call) => await upload(bytes, call, 'picture', id), {
    acquireSlot,
  })

  serve(router, calls.list, ({ after }) => listPictures(services, after))

  serve(router, calls.delete, async ({ id }, call) => {
    await removePicture(services, id, call)
    return {}
  })
}

function throwBusy(): never {
  throwHttpError(503, 'Other pictures are being converted. Please try again in a few seconds.', {
    retryAfter: 5,
    code: 'pictures_busy',
  })
}

/** Each takes seconds of a processor. Nobody chooses as many pictures in an hour, and together they fill the quota. */
export const UPLOADS_PER_USER = { name: 'uploaded pictures', count: 300, per: hours(1) }
const PAGE = 50

/** Newest first, each with the documents that name it. @throws {HttpError} 400 */
async function listPictures({ db, clock }: Pick<Services, 'db' | 'clock'>, after?: string) {
  const { rows, last } = await listRows(db, PAGE, after === undefined ? undefined : readCursor(after))
  const ids = rows.map(({ id }) => id)
  const uses = Map.groupBy(await listUses(db, clock(), ids), ({ pictureId }) => pictureId)
  return {
    pictures: rows.map(row => ({
      ...toPicture(row),
      bytes: row.bytes,
      createdAt: row.created_at,
      uploadedBy: row.uploaded_by,
      uses: (uses.get(row.id) ?? []).map(toUse),
    })),
    nextCursor: last ? `${last.created_at} ${last.id}` : null,
    usedBytes: await measurePictures(db),
    quota: QUOTA,
  }
}

function readCursor(after: string): readonly [string, string] {
  const [created_at = '', id = ''] = after.split(' ')
  if (!id) throwHttpError(400, 'There is no such page')
  return [created_at, id]
}

function toPicture({ id, width, height }: PictureRow): Picture {
  return { id, width, height, url: pictureUrl(id, widths(width)[0] ?? width, 'webp') }
}

function toUse({ pictureId: _, ...use }: PictureUseRow): PictureUse {
  return use
}

/** Deletes a picture that nothing needs. A page that goes live meanwhile keeps it. @throws {HttpError} 404, 409 */
export async function removePicture(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  id: string,
  { log }: { readonly log: AuditLog },
): Promise<void> {
  await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    if (!(await findPicture(transaction, id))) throwHttpError(404, 'There is no such picture')
    const uses = (await listUses(transaction, clock(), [id])).filter(({ isNeeded }) => isNeeded)
    if (uses.length > 0)
      throwHttpError(409, 'This picture is in use', {
        code: 'picture_in_use',
        fields: { uses: uses.map(toUse) },
      })
    await deletePicture(transaction, id)
    await log.within(transaction, 'info', 'API', 'Picture deleted', { picture: id })
  })
}
