import * as z from 'zod/mini'
import { CONTROL_CHARACTERS } from '../http/common-schemas.ts'
import { HttpsUrl } from './references.ts'

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

export const Company = z.strictObject({
  siteName: Text,
  legalName: Text,
  abn: z.string().check(z.regex(/^\d{2} \d{3} \d{3} \d{3}$/, 'Write the ABN as 00 000 000 000')),
  address: z.array(Text).check(z.minLength(1, 'Write at least one paragraph')),
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
  location: z.strictObject({
    latitude: z.number().check(z.gte(-90), z.lte(90)),
    longitude: z.number().check(z.gte(-180), z.lte(180)),
  }),
  phone: Text,
  email: z.email(),
  chat: z.strictObject({ network: Text, handle: Text }),
  /** A phone number with its country code. */
  whatsApp: OptionalText,
})

const WithTitle = z.object({ title: z.string() })
const WithSiteName = z.object({ company: z.object({ siteName: z.string() }) })

/** Characters of a title in a list. */
const MAX_TITLE = 200

/** The title of a body for lists. It may be that of a draft, so anything that a database cannot keep is removed. */
export function titleOf(body: unknown): string {
  const title =
    WithTitle.safeParse(body).data?.title ?? WithSiteName.safeParse(body).data?.company.siteName ?? ''
  return title.replaceAll('\u0000', '').toWellFormed().slice(0, MAX_TITLE).toWellFormed()
}
