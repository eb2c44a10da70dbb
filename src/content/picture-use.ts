import * as z from 'zod/mini'
import { CONTROL_CHARACTERS } from '../http/common-schemas.ts'

/** One use of a picture in a body. The same picture may be described and cropped differently elsewhere. */

/** Characters. Screen readers read an alt text in one go, and nobody can skip in it. */
const MAX_ALT_TEXT = 250
/** Pixels; more than the server takes. */
const MAX_SIDE = 20_000

/** The focal point is in one of 5 × 5 fields, counted by rows, so that a class can crop to it. */
export const FOCUS_COLUMNS = 5
export const FOCUS_FIELDS = FOCUS_COLUMNS * FOCUS_COLUMNS
export const CENTRE = 13

/** 128 random bits in hexadecimal. */
export const PICTURE_ID = /^[0-9a-f]{32}$/

const Side = z.number().check(z.int(), z.gte(1), z.lte(MAX_SIDE))

export const PictureUse = z
  .strictObject({
    picture: z.string().check(z.regex(PICTURE_ID, 'Choose a picture')),
    width: Side,
    height: Side,
    /** What it shows, for those who do not see it. It is kept while the picture is decoration, but not shown. */
    alt: z.string().check(
      z.maxLength(MAX_ALT_TEXT, `Write at most ${MAX_ALT_TEXT} characters`),
      z.refine(text => text === text.trim(), 'Leave no space at the start or the end'),
      z.refine(text => !CONTROL_CHARACTERS.test(text), 'Write this on one line'),
    ),
    decoration: z.boolean(),
    focus: z.number().check(z.int(), z.gte(1), z.lte(FOCUS_FIELDS)),
  })
  .check(
    z.refine(({ alt, decoration }) => decoration || alt !== '', {
      path: ['alt'],
      error: 'Say what the picture shows, or mark it as decoration',
    }),
  )
export type PictureUse = z.output<typeof PictureUse>

/** A use of a picture that nobody has described yet. */
export function newPictureUse(of: { id: string; width: number; height: number }): PictureUse {
  const { id, width, height } = of
  return { picture: id, width, height, alt: '', decoration: false, focus: CENTRE }
}
