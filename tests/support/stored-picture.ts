import { inTransaction } from '../../src/database/transaction.ts'
import { type PictureFormat, pictureFormats, pictureUrl } from '../../src/pictures/sizes.ts'
import { insertPicture } from '../../src/pictures/store.server.ts'
import type { Services } from '../../src/services.ts'

const [width, height] = [64, 48]
let pictures = 0

/** Stores a picture with one file of each format, as if it had been encoded. @param size bytes of each file */
export async function storePicture({ db, clock }: Pick<Services, 'db' | 'clock'>, size: number) {
  const sha256 = String(++pictures).padStart(64, '0')
  const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 31 + pictures) % 256))
  const files = pictureFormats.map(format => ({ width, format, bytes }))
  const { id } = await inTransaction(
    db,
    async transaction =>
      await insertPicture(transaction, clock, sha256, { width, height, files }, 'Robin', null),
  )
  return { id, bytes, path: (format: PictureFormat) => pictureUrl(id, width, format) }
}
