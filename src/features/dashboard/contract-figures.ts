import * as z from 'zod/mini'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

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
