import * as z from 'zod/mini'
import { FactName, HttpsUrl, Path } from './references.ts'

/**
 * Text with headings, lists and links, stored as the JSON of ProseMirror: https://prosemirror.net/docs/ref/#model.Node.toJSON
 * It is never HTML, so there is nothing to sanitise.
 */

/** Characters of one run of text, and nodes in one parent: a hundred pages of a book. */
const MAX_RUN = 20_000
const MAX_NODES = 1000
/** Characters of an address, which every browser takes. */
const MAX_HREF = 2000

/** One @ only: with more it would try each of them for each text, in quadratic time. */
const contact = /^(mailto:[^\s<>"@]+@[^\s<>"@]+|tel:\+?[\d ]+)$/

/** Whether a link may lead there: a page of this site, an https page, an email address or a phone number. */
export function isLinkTarget(href: string): boolean {
  return contact.test(href) || Path.safeParse(href).success || HttpsUrl.safeParse(href).success
}

export const LinkTarget = z
  .string()
  .check(
    z.maxLength(MAX_HREF, { abort: true }),
    z.refine(
      isLinkTarget,
      'Give an address on this site, a full one that starts with https://, mailto: or tel:',
    ),
  )

const Mark = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('strong') }),
  z.strictObject({ type: z.literal('em') }),
  z.strictObject({ type: z.literal('link'), attrs: z.strictObject({ href: LinkTarget }) }),
])
const marks = z.optional(
  z
    .array(Mark)
    .check(
      z.refine(list => new Set(list.map(({ type }) => type)).size === list.length, 'A mark is given twice'),
    ),
)

const Inline = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: z.string().check(z.minLength(1), z.maxLength(MAX_RUN)),
    marks,
  }),
  z.strictObject({ type: z.literal('fact'), attrs: z.strictObject({ name: FactName }), marks }),
])
const inlines = z.optional(z.array(Inline).check(z.maxLength(MAX_NODES)))

const Paragraph = z.strictObject({ type: z.literal('paragraph'), content: inlines })
const Heading = z.strictObject({
  type: z.literal('heading'),
  attrs: z.strictObject({ level: z.literal([2, 3]) }),
  content: inlines,
})

const InnerItem = z.strictObject({
  type: z.literal('list_item'),
  content: z.array(Paragraph).check(z.minLength(1), z.maxLength(MAX_NODES)),
})
const InnerList = z.strictObject({
  type: z.enum(['bullet_list', 'ordered_list']),
  content: z.array(InnerItem).check(z.minLength(1), z.maxLength(MAX_NODES)),
})
/** A list may hold one more level; deeper ones are not readable on a phone. */
const ListItem = z.strictObject({
  type: z.literal('list_item'),
  content: z
    .array(z.discriminatedUnion('type', [Paragraph, InnerList]))
    .check(z.minLength(1), z.maxLength(MAX_NODES)),
})
const List = z.strictObject({
  type: z.enum(['bullet_list', 'ordered_list']),
  content: z.array(ListItem).check(z.minLength(1), z.maxLength(MAX_NODES)),
})

const Block = z.discriminatedUnion('type', [Paragraph, Heading, List])

export const RichText = z.strictObject({
  type: z.literal('doc'),
  content: z.array(Block).check(z.maxLength(MAX_NODES)),
})

export type Inline = z.output<typeof Inline>
export type Mark = z.output<typeof Mark>
export type Block = z.output<typeof Block> | z.output<typeof InnerList>
export type RichText = z.output<typeof RichText>
