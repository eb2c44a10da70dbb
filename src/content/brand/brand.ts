import * as z from 'zod/mini'

/** An agency's own face: a part of the site document, and all of it may be missing. */

const Colour = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Give a colour such as #7A2E4A'))

export const Brand = z.strictObject({
  /** Buttons, links, the top and the foot of pages. */
  main: z.optional(Colour),
  /** Lines, marks, small icons. */
  accent: z.optional(Colour),
})
export type Brand = z.output<typeof Brand>
