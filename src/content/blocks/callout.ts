import * as z from 'zod/mini'
import { item } from '../body-fields.ts'
import { RichText } from '../rich-text.ts'
import { Text } from '../schema.ts'

/** A text that stands out from the page. */
export const CalloutBlock = item({
  type: z.literal('callout'),
  tone: z.enum(['note', 'important']),
  /** Null for the name of its tone. */
  title: z.nullable(Text),
  text: RichText,
})
export type CalloutBlock = z.output<typeof CalloutBlock>
