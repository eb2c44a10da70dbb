import * as z from 'zod/mini'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { messageTypes } from '../inbox/contract.ts'

/** Past this the counts of what waits stand still, so that they cost no more with a million of them. */
export const MAX_COUNTED = 1000
/** Days for which an account's letter that could not be sent is counted: nobody can send it again, only know of it. */
export const ACCOUNT_EMAILS_COUNT_FOR = 7
/** The days that the picture shows, today among them. */
export const DAYS_SHOWN = 30
/** Of so many, the newest, the picture is made. */
export const MAX_DRAWN = 20_000

const Day = z.object({
  /** As the agency's office has it: `2026-11-21`. */
  date: z.string(),
  /** By type. */
  counts: z.record(z.enum(messageTypes), z.number()),
})

const Enquiries = z.object({
  /** One for each day, the last of them today. Fewer where there are too many enquiries to count. */
  days: z.array(Day),
  timeZone: z.string(),
})
export type Enquiries = z.output<typeof Enquiries>

const Attention = z.object({
  unread: z.number(),
  /** Unread ones whose sender the bot check could not verify, or takes for a machine. */
  unverified: z.number(),
  suspect: z.number(),
  /** Messages whose letter to staff could not be sent. */
  failedEmails: z.number(),
  /** Letters about accounts (proofs of an address, changed passwords, new devices) that failed lately. */
  failedAccountEmails: z.number(),
  /** Whether letters only go to the local mailbox, because no provider is configured. */
  isMailKeptHere: z.boolean(),
})
export type Attention = z.output<typeof Attention>

const Dashboard = z.object({
  /** What waits for an admin; null for everyone else. */
  attention: z.nullable(Attention),
  /** What came in lately; null for everyone else. */
  enquiries: z.nullable(Enquiries),
})

export const dashboard = {
  read: endpoint({
    method: 'GET',
    path: '/api/dashboard',
    access: 'signed-in',
    summary: 'Count what waits for an admin',
    input: Empty,
    reply: Dashboard,
  }),
}
