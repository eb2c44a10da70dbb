import type { PictureRow } from '../../database/picture-tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { pictureUrl, widths } from '../../pictures/sizes.ts'
import { listPictures as listRows, measurePictures } from '../../pictures/store.server.ts'
import { listUses, type PictureUseRow } from '../../pictures/uses.server.ts'
import type { Services } from '../../services.ts'
import { type Picture, type PictureUse, QUOTA } from './contract.ts'
import { PAGE } from './limits.ts'

/** Newest first, each with the documents that name it. @throws {HttpError} 400 */
export async function listPictures({ db, clock }: Pick<Services, 'db' | 'clock'>, after?: string) {
  const rows = await listRows(db, PAGE + 1, after === undefined ? undefined : readCursor(after))
  const page = rows.slice(0, PAGE)
  const ids = page.map(({ id }) => id)
  const uses = Map.groupBy(await listUses(db, clock(), ids), ({ pictureId }) => pictureId)
  const last = page.at(-1)
  return {
    pictures: page.map(row => ({
      ...toPicture(row),
      bytes: row.bytes,
      createdAt: row.created_at,
      uploadedBy: row.uploaded_by,
      uses: (uses.get(row.id) ?? []).map(toUse),
    })),
    nextCursor: rows.length > PAGE && last ? `${last.created_at} ${last.id}` : null,
    usedBytes: await measurePictures(db),
    quota: QUOTA,
  }
}

function readCursor(after: string) {
  const [created_at = '', id = ''] = after.split(' ')
  if (!id) throwHttpError(400, 'There is no such page')
  return { created_at, id }
}

export function toPicture({ id, width, height }: PictureRow): Picture {
  return { id, width, height, url: pictureUrl(id, widths(width)[0] ?? width, 'webp') }
}

export function toUse({ pictureId: _, ...use }: PictureUseRow): PictureUse {
  return use
}
