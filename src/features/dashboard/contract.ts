import * as z from 'zod/mini'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { messageTypes } from '../inbox/contract.ts'
import { Missing } from './contract-samples.ts'

/** Weeks of the chart of first replies, including the present one. */
export const WEEKS_SHOWN = 8
/** Days whose answers are counted by person. */
export const ANSWERS_COUNT_FOR = 7
/** People whose answers are shown: the largest agency of those that this is built for. */
export const PEOPLE_SHOWN = 50
/** Overdue messages that are listed; the list of all is a click away. */
export const OVERDUE_LISTED = 5
/** Rows that one figure counts at most, so that its time has a bound: ten times what it is promised for. */
export const MAX_ROWS_COUNTED = 1_000_000
/** The youngest age of each group of open messages, in days. */
export const AGES = [0, 1, 3, 6, 11] as const

const Week = z.object({
  /** Its Monday, in the office's time zone, and the filter of the list of its messages. */
  monday: z.string(),
  /** Messages that got their first reply in this week. */
  count: z.number(),
  /** Working minutes within which half and nine in ten of them were answered; null without any. */
  median: z.nullable(z.number()),
  ninetieth: z.nullable(z.number()),
})
export type Week = z.output<typeof Week>

const Age = z.object({
  /** Days: of the youngest message, and of the oldest; null where there is no oldest. */
  from: z.number(),
  until: z.nullable(z.number()),
  /** The filter of the list of these messages. */
  received: z.string(),
  count: z.number(),
})
export type Age = z.output<typeof Age>

const Answers = z.object({
  /** Since when, the filter of the lists. */
  since: z.string(),
  /** Messages that somebody has answered, the most first; a person has no name once their account is deleted. */
  people: z.array(z.object({ id: z.string(), name: z.nullable(z.string()), count: z.number() })),
})
export type Answers = z.output<typeof Answers>

const OverdueMessage = z.object({
  id: z.string(),
  name: z.string(),
  dueAt: z.string(),
  /** Working minutes of the office since then. */
  lateBy: z.number(),
  assignee: z.nullable(z.object({ id: z.string(), name: z.string() })),
  version: z.number(),
})
export type OverdueMessage = z.output<typeof OverdueMessage>

const Overdue = z.object({
  /** Up to `MAX_COUNTED`. */
  count: z.number(),
  /** The longest overdue first. */
  messages: z.array(OverdueMessage),
})
export type Overdue = z.output<typeof Overdue>

const Figures = z.object({
  /** Working minutes within which a first reply is due; null where the office has no target. */
  target: z.nullable(z.number()),
  overdue: Overdue,
  weeks: z.array(Week),
  ages: z.array(Age),
  answers: Answers,
})
export type Figures = z.output<typeof Figures>

export const figures = {
  read: endpoint({
    method: 'GET',
    path: '/api/dashboard/figures',
    access: 'inbox:read',
    summary: 'Count how quickly messages are answered, what is open and what is overdue',
    input: Empty,
    reply: Figures,
  }),
}

/** Each figure is counted up to this number, so that a million rows cost no more to count. */
export const MAX_COUNTED = 1000
/** Days for which a failed email about an account is counted: it cannot be sent again, so it only informs. */
export const ACCOUNT_EMAILS_COUNT_FOR = 7
/** The share of the space for files from which on the dashboard warns. */
export const SPACE_WARNING = 0.8
/** Days in the chart, including today. */
export const DAYS_SHOWN = 30
/** The most enquiries that the chart counts, newest first. */
export const MAX_DRAWN = 20_000

const Day = z.object({
  /** In the time zone of the agency's office, such as `2026-11-21`. */
  date: z.string(),
  /** The filter of the list of its messages. */
  received: z.string(),
  counts: z.record(z.enum(messageTypes), z.number()),
})

const Enquiries = z.object({
  /** One for each day up to today. Fewer days when there are too many enquiries to count. */
  days: z.array(Day),
  timeZone: z.string(),
})
export type Enquiries = z.output<typeof Enquiries>

const Attention = z.object({
  unread: z.number(),
  /** Unread messages whose sender the bot check could not verify (`unverified`) or takes for a bot (`suspect`). */
  unverified: z.number(),
  suspect: z.number(),
  /** Messages whose email to staff could not be sent. */
  failedEmails: z.number(),
  /** Emails about accounts (verification links, changed passwords, new devices) that failed recently; null without `logs`. */
  failedAccountEmails: z.nullable(z.number()),
  /** Whether emails go only to the local mailbox, because no provider is configured; null without `settings`. */
  isMailKeptHere: z.nullable(z.boolean()),
  /** Visitors whose wish to be erased nobody has decided, and the message of the first; null without `inbox:manage`. */
  erasures: z.nullable(z.object({ count: z.number(), firstId: z.nullable(z.string()) })),
  /** Bytes of the space for files, once so much of it is taken that somebody has to do something; null without `settings`. */
  fileSpace: z.nullable(z.object({ used: z.number(), most: z.number() })),
})
export type Attention = z.output<typeof Attention>

/** Tasks of one kind that the dashboard lists: a reader needs the first, and the list of all is a click away. */
export const TASKS_LISTED = 5

const ContentTasks = z.object({
  /** Facts past the date of their review, the longest first. */
  facts: z.array(z.object({ name: z.string(), value: z.string(), unit: z.string(), reviewBy: z.string() })),
  factCount: z.number(),
  /** Documents that others want to publish and that the reader may approve. */
  reviews: z.array(z.object({ id: z.string(), title: z.string(), askedBy: z.string(), askedAt: z.string() })),
  reviewCount: z.number(),
  /** What goes live next. */
  scheduled: z.array(z.object({ id: z.string(), title: z.string(), liveFrom: z.string() })),
})
export type ContentTasks = z.output<typeof ContentTasks>

export const NEWEST_LISTED = 5

const UnreadMessage = z.object({
  id: z.string(),
  name: z.string(),
  formType: z.enum(messageTypes),
  /** The beginning of what the visitor wrote, on one line. */
  excerpt: z.string(),
  createdAt: z.string(),
})
export type UnreadMessage = z.output<typeof UnreadMessage>

/** What a new installation needs before visitors can rely on it, in the order in which it is best done. */
export const firstSteps = [
  'name',
  'address',
  'agent',
  'hours',
  'fees',
  'mail',
  'domain',
  'admin',
  'portrait',
  'testimonials',
  'claims',
  'samples',
] as const
export type FirstStep = (typeof firstSteps)[number]

/** Steps that an agency can do without. */
export const optionalSteps = [
  'hours',
  'fees',
  'domain',
  'portrait',
  'testimonials',
  'claims',
] as const satisfies FirstStep[]
export type OptionalStep = (typeof optionalSteps)[number]

export const isOptional = (step: string): step is OptionalStep => optionalSteps.some(each => each === step)

/** The value of the setting `first_steps_not_needed`. */
export const toSteps = (text: string): readonly string[] => text.split(',').filter(step => step !== '')
export const areOptionalSteps = (text: string): boolean => {
  const steps = toSteps(text)
  return steps.every(isOptional) && steps.join(',') === text && new Set(steps).size === steps.length
}

const FirstSteps = z.object({
  steps: z.array(
    z.object({
      step: z.enum(firstSteps),
      isDone: z.boolean(),
      /** False once somebody has said so. */
      isNeeded: z.boolean(),
      /** Where it is done: the first of what is missing. */
      href: z.string(),
      /** What is still a sample in it, each with its place. */
      missing: z.array(Missing),
    }),
  ),
  /** Whether strangers read the site: the address is https. */
  isPublic: z.boolean(),
})
export type FirstSteps = z.output<typeof FirstSteps>

/** How far a new site is: every screen that says so counts the same things. */
export function describeDone(steps: FirstSteps['steps']): { readonly done: number; readonly words: string } {
  const done = steps.filter(({ isDone, isNeeded }) => isDone || !isNeeded).length
  return { done, words: `${done} of ${steps.length} done` }
}

/** The hours of the office, for the clock beside the screens. */
const Office = z.object({
  timeZone: z.string(),
  /** Null while it is closed. */
  openUntil: z.nullable(z.string()),
  /** When it opens next, after it has closed. Null when it never does. */
  opensAt: z.nullable(z.string()),
})

const Dashboard = z.object({
  office: Office,
  /** What needs attention; null without `inbox:read`. */
  attention: z.nullable(Attention),
  /** The newest unread messages, newest first; null without `inbox:read`. */
  newest: z.nullable(z.array(UnreadMessage)),
  /** Recent enquiries; null without `inbox:read`. */
  enquiries: z.nullable(Enquiries),
  /** What is to be done about the public pages; null without `content:read`. */
  content: z.nullable(ContentTasks),
  /** What a new installation still needs; null without `settings`, and once everything is done. */
  firstSteps: z.nullable(FirstSteps),
})

export type Dashboard = z.output<typeof Dashboard>

export const dashboard = {
  read: endpoint({
    method: 'GET',
    path: '/api/dashboard',
    access: 'signed-in',
    summary: 'Count what needs attention, and recent enquiries',
    input: Empty,
    reply: Dashboard,
  }),
}
