import { throwHttpError } from '../http/http-error.ts'
import { inspectPicture } from './inspect-picture.ts'
import type { Damage, Inspected } from './inspected.ts'

/** The 12 megapixels of most phones are 4032 × 3024. In memory each pixel is four bytes, several times over. */
const MAX_PIXELS = 12 * 1024 * 1024
/** How many times as long as the other a side may be. A smaller size of a thinner picture would be a line. */
const MAX_PROPORTION = 10

const damages: Record<Damage, string> = {
  'cut off': 'This picture is cut off: its end is missing. Copy it again and try once more.',
  animated: 'This picture is animated. Save one frame of it as a JPEG and upload that.',
  damaged: 'This picture is damaged. Open it in a photo program, save it as a JPEG and upload that.',
}

/** Decides by the bytes of a file whether it may be decoded. @throws {HttpError} 400 or 415 with what to do */
export function assertPicture(bytes: Uint8Array): void {
  if (bytes.length === 0) throwHttpError(400, 'This file is empty')
  const inspected = inspectPicture(bytes)
  if (inspected === null)
    throwHttpError(415, 'This is not a JPEG, PNG or WebP picture. Save it as a JPEG and upload that.')
  if (typeof inspected === 'string') throwHttpError(400, damages[inspected])
  assertSize(inspected)
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
