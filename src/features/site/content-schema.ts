import * as z from 'zod/mini'
import { services } from '../enquiry-form/contract.ts'

/** What the public pages need of the words that an agency writes. */

const Text = z.string().check(
  z.minLength(1, 'Write something here'),
  z.refine(text => text === text.trim(), 'Leave no space at the start or the end'),
)
const Paragraphs = z.array(Text).check(z.minLength(1, 'Write at least one paragraph'))
const HttpsUrl = z.url({ protocol: /^https$/, error: 'Give a full address that starts with https://' })
/** An address on this site. `//host` and `/\host` would lead to another one. */
const Path = z.string().check(z.regex(/^\/(?![/\\])\S*$/, 'Give an address on this site, such as /contact'))

const Source = z.strictObject({ label: Text, url: HttpsUrl })

/** A number never stands alone: it says when it was true and who says so. */
const Figure = z.strictObject({ label: Text, value: Text, asAt: z.iso.date(), source: Source })

/** A visa that nobody can apply for any more says since when, and where to turn instead. */
const ClosedProgramme = z.strictObject({
  status: z.literal('closed'),
  /** The last day on which applications were taken. */
  closedAfter: z.iso.date(),
  replacedBy: z.strictObject({ title: Text, description: Text, url: HttpsUrl }),
  asAt: z.iso.date(),
  source: Source,
})

const Programme = z.discriminatedUnion('status', [
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
  /** Where charges and waiting times stand, which change too often to be repeated. */
  more: Source,
  /** What the enquiry form offers first to a visitor who comes from here. */
  service: z.enum(services),
})

/** Something the pages say in the agency's favour or about the law, with what makes it true. */
const Claim = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('sourced'),
    label: Text,
    value: Text,
    asAt: z.iso.date(),
    source: Source,
  }),
  /** The agency answers for it, and the note says how it is meant. */
  z.strictObject({ kind: z.literal('own'), label: Text, value: Text, note: Text }),
  z.strictObject({
    kind: z.literal('closed-programme'),
    label: Text,
    value: Text,
    asAt: z.iso.date(),
    source: Source,
    programme: ClosedProgramme,
  }),
])

const Slide = z.strictObject({
  image: z.enum(['harbour', 'red-centre', 'rainforest-coast']),
  title: Text,
  description: Text,
  buttonText: Text,
  buttonLink: Path,
})

const Summary = z.strictObject({ title: Text, description: Text })

const Testimonial = z.strictObject({
  quote: Text,
  name: Text,
  visaType: Text,
  /** Null: a monogram stands in. */
  avatarUrl: z.nullable(z.union([Path, HttpsUrl])),
})

const Company = z.strictObject({
  siteName: Text,
  legalName: Text,
  abn: z.string().check(z.regex(/^\d{2} \d{3} \d{3} \d{3}$/, 'Write the ABN as 00 000 000 000')),
  address: Paragraphs,
  /** Where a day of this office begins and ends. */
  timeZone: z
    .string()
    .check(
      z.refine(
        zone => Intl.supportedValuesOf('timeZone').includes(zone),
        'Name a time zone, such as Australia/Sydney',
      ),
    ),
  /** Where the map's pin stands, in degrees. */
  location: z.strictObject({
    latitude: z.number().check(z.gte(-90), z.lte(90)),
    longitude: z.number().check(z.gte(-180), z.lte(180)),
  }),
  phone: Text,
  email: z.email(),
  chat: z.strictObject({ network: Text, handle: Text }),
})

const Agent = z.strictObject({
  name: Text,
  title: Text,
  /** MARN: beside the agent's name wherever it stands. */
  registrationNumber: z.string().check(z.regex(/^\d{7}$/, 'A registration number has seven digits')),
  /** Null: a monogram stands in. */
  portraitUrl: z.nullable(z.union([Path, HttpsUrl])),
  introduction: Paragraphs,
  founderProfile: Paragraphs,
  languages: z.array(Text).check(z.minLength(1)),
})

export const Content = z.strictObject({
  company: Company,
  agent: Agent,
  hours: z.array(z.strictObject({ days: Text, time: Text })).check(z.minLength(1)),
  /** The same for search engines: when the door is open to anyone, so not the hours by appointment. */
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
  testimonials: z.tuple([Testimonial, Testimonial, Testimonial]),
  claims: z.array(Claim),
  /** The few lines of the footer about the code of conduct. */
  codeOfConduct: Text,
  /** The quick links of the footer: other people's pages. */
  links: z.array(z.strictObject({ label: Text, url: HttpsUrl })),
  /** What is kept of an enquiry; it stands beside the form. */
  collectionNotice: z.strictObject({
    title: Text,
    points: z.array(z.strictObject({ question: Text, answer: Text })).check(z.minLength(1)),
    figures: z.array(Figure),
  }),
  disclaimer: Text,
  version: Text,
})
export type Content = z.output<typeof Content>
