import * as z from 'zod/mini'
import { ButtonBlock } from './blocks/button.ts'
import { CalloutBlock } from './blocks/callout.ts'
import { FormBlock } from './blocks/form.ts'
import { PictureBlock } from './blocks/picture.ts'
import { TableBlock } from './blocks/table.ts'
import { item, listOf } from './body-fields.ts'
import { RichText } from './rich-text.ts'
import { Text } from './schema.ts'
import { visaFields } from './site-body.ts'

/** The bodies of documents that are a page of their own. */

/** Characters. Search engines cut longer addresses, and people cannot read them out. */
const MAX_PATH = 100

/** An address on this site, in lower case. Which ones are free is checked when the document is published. */
export const DocumentPath = z
  .string()
  .check(
    z.maxLength(MAX_PATH, `An address has at most ${MAX_PATH} characters`),
    z.regex(/^(\/[a-z0-9]+(-[a-z0-9]+)*){1,3}$/, 'Give an address such as /fees or /news/new-fees'),
  )

const Block = z.discriminatedUnion('type', [
  item({ type: z.literal('text'), text: RichText }),
  item({
    type: z.literal('faq'),
    questions: listOf(item({ question: Text, answer: RichText })).check(z.minLength(1, 'Answer a question')),
  }),
  PictureBlock,
  TableBlock,
  CalloutBlock,
  ButtonBlock,
  FormBlock,
])
export type PageBlock = z.output<typeof Block>

function hasOneForm(blocks: readonly PageBlock[]): boolean {
  return blocks.filter(({ type }) => type === 'form').length <= 1
}

const pageFields = {
  path: DocumentPath,
  title: Text,
  /** What search engines show under the title. */
  description: Text,
  blocks: listOf(Block).check(
    z.refine(hasOneForm, 'A page has one form at most: several would ask for the same things'),
  ),
}

export const PageBody = z.strictObject(pageFields)
export const ArticleBody = z.strictObject({ ...pageFields, author: Text })
export const VisaBody = z.strictObject({ ...visaFields, ...pageFields })

export type PageBody = z.output<typeof PageBody>
export type ArticleBody = z.output<typeof ArticleBody>
export type VisaBody = z.output<typeof VisaBody>
