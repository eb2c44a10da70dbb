import * as z from 'zod/mini'
import { services } from '../features/enquiry-form/contract.ts'
import { CONTROL_CHARACTERS } from '../http/common-schemas.ts'
import { PictureUse } from './picture-use.ts'
import { HttpsUrl, Path } from './references.ts'

export { HttpsUrl, Path }

/** The schema of the texts that an agency writes for the public pages. */

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
const Paragraphs = z.array(Text).check(z.minLength(1, 'Write at least one paragraph'))
export const Source = z.strictObject({ label: Text, url: HttpsUrl })

/** A number is never shown without its date and source, nor after the last day on which it holds. */
const figure = {
  label: Text,
  value: Text,
  asAt: z.iso.date(),
  source: Source,
  endsOn: z.optional(z.iso.date()),
}
const Figure = z.strictObject(figure)

/** A visa that is closed to applications, with the date and its replacement. */
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

const VisaCategory = z.strictObject({
  title: Text,
  /** One sentence. */
  description: Text,
  subclasses: z
    .array(
      z.strictObject({
        name: Text,
        numbers: z
          .array(z.string().check(z.regex(/^\d{3}$/, 'A subclass has three digits')))
          .check(z.minLength(1)),
      }),
    )
    .check(z.minLength(1)),
  /** Without numbers: those are figures. */
  facts: z.array(Text).check(z.minLength(2), z.maxLength(4)),
  figures: z.array(Figure),
  programme: Programme,
  /** The page with charges and waiting times, which change too often to be copied. */
  more: Source,
  /** The service that the enquiry form preselects for a visitor who comes from here. */
  service: z.enum(services),
})

/** A claim about the agency or the law, with its evidence. */
const Claim = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sourced'), ...figure }),
  /** The agency is responsible for it, and the note explains it. */
  z.strictObject({ kind: z.literal('own'), label: Text, value: Text, note: Text }),
  z.strictObject({
    kind: z.literal('closed-programme'),
    ...figure,
    programme: ClosedProgramme,
  }),
])

const Slide = z.strictObject({
  image: z.enum(['harbour', 'red-centre', 'rainforest-coast']),
  picture: z.optional(PictureUse),
  title: Text,
  description: Text,
  buttonText: Text,
  buttonLink: Path,
})

const Summary = z.strictObject({ title: Text, description: Text })

/** One step of an application, and what a client pays for it. */
export const step = { title: Text, description: Text, cost: Text, payment: Text }

const Testimonial = z.strictObject({
  quote: Text,
  name: Text,
  visaType: Text,
  /** Null for a monogram. */
  avatarUrl: z.nullable(z.union([Path, HttpsUrl])),
  portrait: z.optional(PictureUse),
})

export const Company = z.strictObject({
  siteName: Text,
  legalName: Text,
  abn: z.string().check(z.regex(/^\d{2} \d{3} \d{3} \d{3}$/, 'Write the ABN as 00 000 000 000')),
  address: Paragraphs,
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

const Agent = z.strictObject({
  name: Text,
  title: Text,
  /** MARN, shown wherever the agent's name is. */
  registrationNumber: z.string().check(z.regex(/^\d{7}$/, 'A registration number has seven digits')),
  /** Null for a monogram. */
  portraitUrl: z.nullable(z.union([Path, HttpsUrl])),
  portrait: z.optional(PictureUse),
  heading: OptionalText,
  introduction: Paragraphs,
  founderProfile: Paragraphs,
  languages: z.array(Text).check(z.minLength(1)),
})

export const Content = z.strictObject({
  company: Company,
  agent: Agent,
  hours: z.array(z.strictObject({ days: Text, time: Text })).check(z.minLength(1)),
  /** The same for search engines, without the hours by appointment. */
  openingHours: z.array(
    z.strictObject({
      days: z.array(z.enum(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])),
      opens: z.string().check(z.regex(/^\d{2}:\d{2}$/)),
      closes: z.string().check(z.regex(/^\d{2}:\d{2}$/)),
    }),
  ),
  slides: z.tuple([Slide, Slide, Slide]),
  visaCategories: z.array(VisaCategory).check(z.minLength(1)),
  services: z.array(Summary).check(z.minLength(1)),
  process: z.optional(z.array(z.strictObject(step))),
  replyTarget: OptionalText,
  testimonials: z.tuple([Testimonial, Testimonial, Testimonial]),
  claims: z.array(Claim),
  /** The few lines of the footer about the code of conduct. */
  codeOfConduct: Text,
  /** The quick links of the footer: other people's pages. */
  links: z.array(z.strictObject({ label: Text, url: HttpsUrl })),
  /** The privacy notice under the enquiry form. */
  collectionNotice: z.strictObject({
    title: Text,
    points: z.array(z.strictObject({ question: Text, answer: Text })).check(z.minLength(1)),
    figures: z.array(Figure),
  }),
  disclaimer: Text,
  version: Text,
})
export type Content = z.output<typeof Content>

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
