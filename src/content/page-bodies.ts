import * as z from 'zod/mini'
import type { ContentKind } from '../database/content-tables.ts'
import {
  ButtonBlock,
  CalloutBlock,
  FormBlock,
  PictureBlock,
  QuoteBlock,
  TableBlock,
} from './blocks/blocks.ts'
import { PictureUse } from './picture-use.ts'
import { RichText } from './rich-text.ts'
import { DocumentPath, ItemId, item, listOf, OptionalText, Text } from './schema.ts'
import { visaFields } from './site-body.ts'

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
  QuoteBlock,
  FormBlock,
])
export type PageBlock = z.output<typeof Block>

const pageFields = {
  path: DocumentPath,
  title: Text,
  /** What search engines show under the title. */
  description: Text,
  /** What search engines show as the title, and browsers in a tab. */
  searchTitle: OptionalText,
  /** Where somebody shares the page, in place of the first picture of the text. */
  socialPicture: z.optional(PictureUse),
  blocks: listOf(Block).check(
    z.refine(
      all => all.filter(({ type }) => type === 'form').length <= 1,
      'A page has one form at most: several would ask for the same things',
    ),
  ),
}

/** Who of the team advises: an id in the site document. Pages leave out somebody who is no longer there. */
const agent = z.optional(z.nullable(ItemId))

export const PageBody = z.strictObject(pageFields)
/** Nobody signs an article without an author. */
export const ArticleBody = z.strictObject({
  ...pageFields,
  author: z.union([Text, z.literal('')]),
  agent,
})
export const VisaBody = z.strictObject({
  ...visaFields,
  ...pageFields,
  /** On cards; without them, the title and the description. */
  cardTitle: OptionalText,
  cardText: OptionalText,
  agent,
})

export type PageBody = z.output<typeof PageBody>
export type ArticleBody = z.output<typeof ArticleBody>
export type VisaBody = z.output<typeof VisaBody>

/** The body of a new document: of the right shape, but not complete enough to be published. */
export function emptyBody(kind: Exclude<ContentKind, 'site'>, path: string, title: string) {
  const text = { type: 'doc' as const, content: [{ type: 'paragraph' as const }] }
  const page = { path, title, description: '', blocks: [{ id: 'text-1', type: 'text' as const, text }] }
  if (kind === 'page') return page
  if (kind === 'article') return { ...page, author: '' }
  return {
    ...page,
    subclasses: [],
    facts: [],
    figures: [],
    programme: { status: 'open' },
    more: { label: '', url: '' },
    service: 'other',
  }
}
