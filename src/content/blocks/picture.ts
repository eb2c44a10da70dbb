import * as z from 'zod/mini'
import { item } from '../body-fields.ts'
import { PictureUse } from '../picture-use.ts'
import { Text } from '../schema.ts'

/** A picture between the texts of a page. In a draft it may still have to be chosen. */
export const PictureBlock = item({
  type: z.literal('picture'),
  picture: z.nullable(PictureUse).check(z.refine(picture => picture !== null, 'Choose a picture')),
  /** Shown below it; null for none. */
  caption: z.nullable(Text),
})
export type PictureBlock = z.output<typeof PictureBlock>
