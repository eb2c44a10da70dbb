import * as z from 'zod/mini'
import { PICTURE_ID } from '../picture-use.ts'

/** An agency's own face: a part of the site document, and all of it may be missing. */

const Colour = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Give a colour such as #7A2E4A'))

const Logo = z.strictObject({
  /** A picture that was uploaded as a logo, so that it has its sizes. */
  picture: z.string().check(z.regex(PICTURE_ID, 'Choose a logo')),
  /** Whether it can be seen on dark grounds only. */
  isLight: z.optional(z.boolean()),
})

export const Brand = z.strictObject({
  logo: z.optional(Logo),
  /** Buttons, links, the top and the foot of pages. */
  main: z.optional(Colour),
  /** Lines, marks, small icons. */
  accent: z.optional(Colour),
})
export type Brand = z.output<typeof Brand>
