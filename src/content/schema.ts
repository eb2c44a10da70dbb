import * as z from 'zod/mini'
import { CONTROL_CHARACTERS } from '../http/common-schemas.ts'
import { FactName, HttpsUrl, Path } from './references.ts'

/** Characters of one text, which is a paragraph at most: a page of them must stay readable and quick to send. */
const MAX_TEXT = 2000

export const Text = z.string().check(
  z.minLength(1, 'This is still empty'),
  z.maxLength(MAX_TEXT, `Write at most ${MAX_TEXT} characters`),
  z.refine(text => text === text.trim(), 'Leave no space at the start or the end'),
  z.refine(text => !CONTROL_CHARACTERS.test(text), 'Write this on one line'),
)
/** Left out of the page while there is none. */
export const OptionalText = z.optional(z.nullable(Text))
export const Source = z.strictObject({ label: Text, url: HttpsUrl })

export const ClosedProgramme = z.strictObject({
  status: z.literal('closed'),
  /** The last day on which applications were taken. */
  closedAfter: z.iso.date(),
  replacedBy: z.strictObject({ title: Text, description: Text, url: HttpsUrl }),
  asAt: z.iso.date(),
  source: Source,
})

export const Programme = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('open') }),
  ClosedProgramme,
])

export const step = { title: Text, description: Text, cost: Text, payment: Text }

const Abn = z.string().check(z.regex(/^\d{2} ?\d{3} ?\d{3} ?\d{3}$/, 'Write the eleven digits of the ABN'))

/** Null, or empty, for what the agency has not said yet: pages close up around it. */
export const Company = z.strictObject({
  siteName: Text,
  legalName: z.nullable(Text),
  abn: z.nullable(Abn),
  address: z.array(Text),
  /** Decides where a day of this office begins and ends. */
  timeZone: z
    .string()
    .check(
      z.refine(
        zone => Intl.supportedValuesOf('timeZone').includes(zone),
        'Name a time zone, such as Australia/Sydney',
      ),
    ),
  /** The map's pin, in degrees. */
  location: z.optional(
    z.nullable(
      z.strictObject({
        latitude: z.number().check(z.gte(-90), z.lte(90)),
        longitude: z.number().check(z.gte(-180), z.lte(180)),
      }),
    ),
  ),
  phone: z.nullable(Text),
  email: z.nullable(z.email()),
  chat: z.optional(z.nullable(z.strictObject({ network: Text, handle: Text }))),
  /** A phone number with its country code. */
  whatsApp: OptionalText,
})

const WithTitle = z.object({ title: z.string() })
const WithSiteName = z.object({ company: z.object({ siteName: z.string() }) })

/** Characters of a title in a list. */
export const MAX_TITLE = 200

/** The title of a body for lists. It may be that of a draft, so anything that a database cannot keep is removed. */
export function titleOf(body: unknown): string {
  const title =
    WithTitle.safeParse(body).data?.title ?? WithSiteName.safeParse(body).data?.company.siteName ?? ''
  return title.replaceAll('\u0000', '').toWellFormed().slice(0, MAX_TITLE).toWellFormed()
}

/** Items of one list: more than a page can show well. */
const MAX_ITEMS = 200

/** Stays with an item while it is edited and moved, so that two people's changes can be merged. */
export const ItemId = z
  .string()
  .check(z.regex(/^[a-zA-Z0-9-]{1,40}$/, 'An id has at most 40 characters: a to z, 0 to 9 and hyphens'))

type Identified = z.core.SomeType & { _zod: { output: { id: string } } }

/** An object in a list: these fields, and an id that is unique in the list, which `findSameIds` checks. */
export function item<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ id: ItemId, ...shape })
}

export function listOf<Item extends Identified>(itemSchema: Item) {
  return z.array(itemSchema).check(z.maxLength(MAX_ITEMS, `A list has at most ${MAX_ITEMS} items`))
}

/** MARN, shown wherever the agent's name is. */
export const RegistrationNumber = z
  .string()
  .check(z.regex(/^\d{7}$/, 'A registration number has seven digits'))

/** Paragraphs, or lines that belong together. */
export const Texts = listOf(item({ text: Text }))

export const Figures = listOf(item({ label: Text, fact: FactName }))

const isValid = (schema: z.ZodMiniType, value: string) => schema.safeParse(value).success

/** A page of this site or of another one. */
export const Address = z
  .string()
  .check(
    z.refine(
      text => isValid(Path, text) || isValid(HttpsUrl, text),
      'Give an address on this site, such as /contact, or a full one that starts with https://',
    ),
  )

/** Characters. Search engines cut longer addresses, and people cannot read them out. */
export const MAX_PATH = 100

/** An address on this site, in lower case. Which ones are free is checked when the document is published. */
export const DocumentPath = z
  .string()
  .check(
    z.maxLength(MAX_PATH, `An address has at most ${MAX_PATH} characters`),
    z.regex(/^(\/[a-z0-9]+(-[a-z0-9]+)*){1,3}$/, 'Give an address such as /fees or /news/new-fees'),
  )
