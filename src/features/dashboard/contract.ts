import * as z from 'zod/mini'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { messageTypes } from '../inbox/contract.ts'

/** Each figure is counted up to this number, so that a million rows cost no more to count. */
export const MAX_COUNTED = 1000
/** Days for which a failed email about an account is counted: it cannot be sent again, so it only informs. */
export const ACCOUNT_EMAILS_COUNT_FOR = 7
/** Days in the chart, including today. */
export const DAYS_SHOWN = 30
/** The most enquiries that the chart counts, newest first. */
export const MAX_DRAWN = 20_000

const Day = z.object({
  /** In the time zone of the agency's office, such as `2026-11-21`. */
  date: z.string(),
  /** By type. */
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

const Dashboard = z.object({
  /** What needs attention; null without `inbox:read`. */
  attention: z.nullable(Attention),
  /** Recent enquiries; null without `inbox:read`. */
  enquiries: z.nullable(Enquiries),
  /** What is to be done about the public pages; null without `content:read`. */
  content: z.nullable(ContentTasks),
})

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
