import * as z from 'zod/mini'
import { services } from '../features/enquiry-form/contract.ts'
import { Brand } from './brand/brand.ts'
import { MAX_SLIDES, MAX_TEAM, MAX_TESTIMONIALS } from './limits.ts'
import { states, weekdays } from './office/office-hours.ts'
import { PictureUse } from './picture-use.ts'
import { FactName, HttpsUrl, Path, PRINCIPAL } from './references.ts'
import {
  Address,
  ClosedProgramme,
  Company,
  DocumentPath,
  Figures,
  item,
  listOf,
  OptionalText,
  Programme,
  RegistrationNumber,
  Source,
  step,
  Text,
  Texts,
} from './schema.ts'

/** Questions of the visa finder, which are one sentence, and answers of each: more would be a form. */
const MAX_QUESTIONS = 4
const MAX_ANSWERS = 6
/** Each is two pages in the cache, with its visas and with the form. At 60 kB a page, they take three quarters of it. */
const MAX_COMBINATIONS = 100

const Subclasses = z.array(z.string().check(z.regex(/^\d{3}$/, 'A subclass has three digits')))

const Answer = item({
  label: Text,
  /** Subclasses to read about. */
  visas: Subclasses,
  /** Subclasses that are not shown with this answer, whatever the others say. */
  leftOut: Subclasses,
})

/** A part of the sentence "I am … and hope to …." */
const Question = item({
  before: Text,
  /** The first one is chosen until the visitor chooses. */
  answers: listOf(Answer).check(
    z.minLength(1, 'Write an answer'),
    z.maxLength(MAX_ANSWERS, `Write at most ${MAX_ANSWERS} answers`),
  ),
  /** What follows the answer, such as a full stop. */
  after: z.nullable(Text),
})

/** Where the answers' visas come from. Nothing is said of them but this, so that nobody reads a rule as advice. */
const FinderSource = z.strictObject({
  asAt: z.iso.date('Give a date'),
  source: Source,
  /** Who of the agency has checked each answer. */
  checkedBy: OptionalText,
})

export const FinderQuestions = listOf(Question).check(
  z.maxLength(MAX_QUESTIONS, `Ask at most ${MAX_QUESTIONS} questions`),
  z.refine(
    questions => questions.reduce((product, { answers }) => product * answers.length, 1) <= MAX_COMBINATIONS,
    `Together these answers have more than ${MAX_COMBINATIONS} combinations: leave some out`,
  ),
)

/** The body of the site document: what belongs to no single page. */

/** As many as fit beside one another. */
const MAX_STEPS = 4

const Time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Give a time such as 09:00'))

/** A day ends at 24:00. */
const Closing = z
  .string()
  .check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Give a time such as 18:00, or 24:00 for midnight'))

/** When the office is open, in its own time zone. Days that are not listed are closed. */
const OfficeHours = listOf(
  item({
    days: z.array(z.enum(weekdays)).check(z.minLength(1, 'Choose a day')),
    opens: Time,
    closes: Closing,
    /** Nobody answers enquiries then, so these hours do not count for the time until a reply is due. */
    byAppointment: z.boolean(),
  }),
).check(
  z.refine(
    entries => entries.every(({ opens, closes }) => opens < closes),
    'The office closes after it opens, on the same day',
  ),
)

const State = z.enum(states)

/** Days on which the office is closed whatever its hours. */
const Holidays = listOf(
  item({
    date: z.iso.date('Give a date'),
    name: Text,
    /** Where it is a holiday. Without any, everywhere. */
    states: z.optional(z.array(State)),
  }),
)

/** Who works here beside the first agent. */
const Team = listOf(
  item({
    name: Text,
    title: z.nullable(Text),
    /** Null for somebody who is no migration agent. */
    registrationNumber: z.nullable(RegistrationNumber),
    portrait: z.optional(PictureUse),
    languages: z.array(Text),
    introduction: Texts,
  }),
).check(
  z.maxLength(MAX_TEAM, `Show at most ${MAX_TEAM} people`),
  z.refine(people => people.every(({ id }) => id !== PRINCIPAL), 'This id is that of the first agent'),
)

/** Hours: four weeks of an office that is open all day on working days. */
const MAX_REPLY_HOURS = 200

/** Office hours within which a visitor gets the first answer. Null for no promise. */
const ReplyHours = z
  .number('Give a number of hours')
  .check(
    z.gte(0.25, 'Give at least a quarter of an hour'),
    z.lte(MAX_REPLY_HOURS, `Give at most ${MAX_REPLY_HOURS} hours`),
  )

/** What a card and a page say about a visa. */
export const visaFields = {
  /** One sentence. */
  description: Text,
  subclasses: listOf(
    item({ name: Text, numbers: Subclasses.check(z.minLength(1, 'Give a subclass')) }),
  ).check(z.minLength(1, 'Give a subclass')),
  /** Without numbers: those are figures. */
  facts: listOf(item({ text: Text })).check(
    z.minLength(2, 'Write two at least'),
    z.maxLength(4, 'Write four at most'),
  ),
  figures: Figures,
  programme: Programme,
  /** The page with charges and waiting times, which change too often to be copied. */
  more: Source,
  /** The service that the enquiry form preselects for a visitor who comes from here. */
  service: z.enum(services),
}

const Visa = z.discriminatedUnion('kind', [
  /** What it says about the visa is in the document at this address, or at the one that it has now. */
  item({ kind: z.literal('page'), path: DocumentPath, isOnHome: z.boolean() }),
  item({ kind: z.literal('described'), isOnHome: z.boolean(), title: Text, ...visaFields }),
])

const Claim = z.discriminatedUnion('kind', [
  item({ kind: z.literal('sourced'), label: Text, fact: FactName }),
  /** The agency is responsible for it, and the note explains it. */
  item({ kind: z.literal('own'), label: Text, value: Text, note: Text }),
  item({ kind: z.literal('closed-programme'), label: Text, fact: FactName, programme: ClosedProgramme }),
])

export const SiteBody = z.strictObject({
  /** Without it, the site looks as it came. */
  brand: z.optional(Brand),
  company: Company,
  agent: z.strictObject({
    name: z.nullable(Text),
    title: z.nullable(Text),
    /** MARN, shown wherever the agent's name is. */
    registrationNumber: z.nullable(RegistrationNumber),
    /** Null for a monogram. */
    portraitUrl: z.nullable(Address),
    /** Takes the place of the address. */
    portrait: z.optional(PictureUse),
    /** Above the introduction, in place of the name. */
    heading: OptionalText,
    introduction: Texts,
    founderProfile: Texts,
    languages: z.array(Text),
  }),
  /** In the order in which visitors see them, after the first agent. */
  team: z.optional(Team),
  officeHours: OfficeHours,
  holidays: Holidays,
  /** The state or territory of the office. Without one, every holiday is one of the office. */
  state: z.optional(z.nullable(State)),
  replyHours: z.optional(z.nullable(ReplyHours)),
  /** When visitors get an answer, such as "within one working day": a promise that somebody has to confirm. */
  replyTarget: OptionalText,
  slides: listOf(
    item({
      image: z.enum(['harbour', 'red-centre', 'rainforest-coast']),
      /** Takes the place of the illustration. */
      picture: z.optional(PictureUse),
      title: Text,
      description: Text,
      buttonText: Text,
      buttonLink: Path,
    }),
  ).check(z.minLength(1, 'Show a slide'), z.maxLength(MAX_SLIDES, `Show at most ${MAX_SLIDES} slides`)),
  /** What search engines show of the home page, in place of the words of the first slide. */
  home: z.optional(z.strictObject({ title: OptionalText, description: OptionalText })),
  /** Where somebody shares a page that has no picture of its own, in place of the drawn one. */
  socialPicture: z.optional(PictureUse),
  /** The visa finder of the home page: its questions, and links for people who know where they stand. */
  finderQuestions: z.optional(FinderQuestions),
  finderSource: z.optional(FinderSource),
  finderStarts: z.optional(listOf(item({ label: Text, path: Path }))),
  /** The order of the visas wherever they are listed. Published ones that are not in it come last. */
  visaCategories: listOf(Visa).check(z.minLength(1, 'Describe a visa')),
  services: listOf(item({ title: Text, description: Text })).check(z.minLength(1, 'Describe a service')),
  /** How an application goes, step by step, with what each step costs. */
  process: z.optional(listOf(item(step)).check(z.maxLength(MAX_STEPS, `Write at most ${MAX_STEPS} steps`))),
  testimonials: listOf(
    item({
      quote: Text,
      name: Text,
      visaType: Text,
      avatarUrl: z.nullable(Address),
      /** Takes the place of the address. */
      portrait: z.optional(PictureUse),
    }),
  ).check(z.maxLength(MAX_TESTIMONIALS, `Show at most ${MAX_TESTIMONIALS}`)),
  claims: listOf(Claim),
  /** The few lines of the footer about the code of conduct. */
  codeOfConduct: Text,
  /** The quick links of the footer: other people's pages. */
  links: listOf(item({ label: Text, url: HttpsUrl })),
  /** Pages that the menu and the footer have beside the fixed ones. */
  menu: listOf(item({ label: Text, path: Path })),
  footerPages: listOf(item({ label: Text, path: Path })),
  /** The privacy notice under the enquiry form. */
  collectionNotice: z.strictObject({
    title: Text,
    points: listOf(item({ question: Text, answer: Text })).check(z.minLength(1, 'Answer a question')),
    figures: Figures,
  }),
  disclaimer: Text,
  version: Text,
})
export type SiteBody = z.output<typeof SiteBody>
