import * as z from 'zod/mini'
import { ById, Empty, singleLine } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { text } from '../conversation/contract.ts'
import { type LanguageCode, languages } from '../language/languages.ts'

/** Characters: it is the label of a button. */
export const MAX_CANNED_TITLE = 60
/** More than anybody finds one in. */
export const MAX_CANNED_REPLIES = 200
/** Bytes of all texts together, at least 13 of the longest: everybody who answers reads all of them with one call. */
export const MAX_CANNED_BYTES = 256 * 1024

/** The same text in another language. */
const Variant = z.object({ language: z.enum(languages), body: z.string() })
export type CannedVariant = z.output<typeof Variant>

export const CannedReply = z.object({
  id: z.string(),
  /** Another one when the title or the text has changed. */
  version: z.string(),
  title: z.string(),
  /** With placeholders such as `{name}`. */
  body: z.string(),
  /** In further languages, at most once in each. */
  variants: z.array(Variant),
  /** How often it was inserted. */
  uses: z.number(),
})
export type CannedReply = z.output<typeof CannedReply>

const body = text.check(
  z.superRefine((written, context) => {
    const unknown = unknownPlaceholders(written)
    if (unknown.length > 0) context.addIssue({ code: 'custom', message: describeUnknown(unknown) })
  }),
)

const variants = z.array(z.strictObject({ language: z.enum(languages, 'Choose a language'), body })).check(
  z.superRefine((all, context) => {
    for (const [at, { language }] of all.entries())
      if (all.findIndex(variant => variant.language === language) < at)
        context.addIssue({
          code: 'custom',
          path: [at, 'language'],
          message: 'There is a text in this language already',
        })
  }),
)

const fields = { title: singleLine(1, 'Write a title', MAX_CANNED_TITLE, 'A title'), body }

export function describeUnknown(unknown: readonly string[]): string {
  const known = placeholders.map(name => `{${name}}`).join(', ')
  return `There is no placeholder ${unknown.join(', ')}. Use ${known}.`
}

const NewCannedReply = z.strictObject({ ...fields, variants: z._default(variants, []) })
export type NewCannedReply = z.output<typeof NewCannedReply>

const CannedReplyChange = z.extend(ById, {
  title: z.optional(fields.title),
  body: z.optional(fields.body),
  variants: z.optional(variants),
  /** That of the title and the text that the caller has seen. Without it, the last change wins. */
  version: z.optional(z.string()),
  /** Its new place in the list, counted from 0. */
  position: z.optional(z.number().check(z.int(), z.gte(0), z.lt(MAX_CANNED_REPLIES))),
})
export type CannedReplyChange = z.output<typeof CannedReplyChange>

const Reply = z.object({ cannedReply: CannedReply })

/** Texts that staff insert into replies: all who answer read them, admins write them. */
export const cannedReplies = {
  list: endpoint({
    method: 'GET',
    path: '/api/canned-replies',
    access: 'inbox:answer',
    summary: 'List the canned replies, and what their placeholders stand for in every message',
    input: z.strictObject({}),
    reply: z.object({
      cannedReplies: z.array(CannedReply),
      /** The registered agent, null while nobody has named one, and the name of the site. */
      agent: z.nullable(z.string()),
      agency: z.string(),
      /** What the caller signs with, on one or more lines: their name, unless they have set something else. */
      signer: z.string(),
      /** What stands under each reply after that. */
      signature: z.array(z.string()),
    }),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/canned-replies',
    access: 'inbox:manage',
    summary: 'Add a canned reply, at the end of the list',
    input: NewCannedReply,
    reply: Reply,
    status: 201,
    errorStatuses: [409],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/canned-replies/:id',
    access: 'inbox:manage',
    summary: 'Change or move a canned reply',
    input: CannedReplyChange,
    reply: Reply,
    errorStatuses: [404, 409],
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/canned-replies/:id',
    access: 'inbox:manage',
    summary: 'Delete a canned reply',
    input: ById,
    reply: Empty,
    errorStatuses: [404],
  }),
  use: endpoint({
    method: 'POST',
    path: '/api/canned-replies/:id/use',
    access: 'inbox:answer',
    summary: 'Count that a canned reply was inserted',
    input: ById,
    reply: Empty,
  }),
}

/** The text for somebody who writes in a language, with the language that it is in; null for the one that is for all. */
export function textFor(
  { body, variants }: Pick<CannedReply, 'body' | 'variants'>,
  language: LanguageCode | null,
): { readonly body: string; readonly language: LanguageCode | null } {
  return variants.find(variant => variant.language === language) ?? { body, language: null }
}

/** What a canned reply may leave open, in braces: `{name}`. */
export const placeholders = ['name', 'reference', 'agent', 'agency', 'service'] as const
export type Placeholder = (typeof placeholders)[number]

/** What each stands for. The service is null when the visitor named none. */
export type PlaceholderValues = Readonly<Record<Exclude<Placeholder, 'service' | 'agent'>, string>> & {
  readonly service: string | null
  /** Null while the site names none. */
  readonly agent: string | null
}

/** Takes the place of a service that the visitor did not name, in a sentence such as "about {service}". */
const NO_SERVICE = 'your enquiry'

/** Takes the place of an agent that the site does not name yet. */
const NO_AGENT = 'our agent'

const IN_BRACES = /\{([^{}\n]*)\}/g

/** What stands in braces and is no placeholder, as it is written. */
export function unknownPlaceholders(text: string): string[] {
  const named = [...text.matchAll(IN_BRACES)].filter(([, name = '']) => !isPlaceholder(name))
  return [...new Set(named.map(([whole]) => whole))]
}

/** The text with its placeholders filled, once: what a visitor wrote may look like a placeholder. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(IN_BRACES, (whole, name: string) =>
    isPlaceholder(name) ? (values[name] ?? (name === 'agent' ? NO_AGENT : NO_SERVICE)) : whole,
  )
}

function isPlaceholder(name: string): name is Placeholder {
  return placeholders.some(placeholder => placeholder === name)
}
