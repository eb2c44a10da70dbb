import * as z from 'zod/mini'
import { KnownPerson, REASON_LENGTH, RecordedOverride } from '../../content/claims/finding.ts'
import { singleLine } from '../../http/common-schemas.ts'

/** What the claim check of the form knows beside the draft and the facts. */
export const KnownClaims = z.object({
  /** What somebody took responsibility for in the version that is live. */
  recorded: z.array(RecordedOverride),
  /** The subclasses that the site describes, by number. */
  subclasses: z.record(z.string(), z.enum(['open', 'closed'])),
  /** The paths that lead to a page of this site. */
  paths: z.array(z.string()),
  /** The team that visitors see, the first agent first. */
  people: z.array(KnownPerson),
  /** Whether visitors see only claims and testimonials of the site that somebody has confirmed. */
  hidesSamples: z.boolean(),
})
export type KnownClaims = z.output<typeof KnownClaims>

/** Why somebody keeps a claim. */
export const Reason = singleLine(1, 'Give a reason', REASON_LENGTH, 'Reason')

export const Override = z.strictObject({
  rule: singleLine(1, 'Name the rule', 100, 'Rule'),
  path: singleLine(1, 'Name the field', 500, 'Field'),
  sentence: singleLine(1, 'Quote the sentence', 2000, 'Sentence'),
  reason: Reason,
})
export type Override = z.output<typeof Override>

/** A version that waits for a second person. */
export const Review = z.object({
  number: z.number(),
  /** Of the draft that became the version: another one has changed since. */
  revision: z.number(),
  askedBy: z.string(),
  askedAt: z.string(),
  note: z.string(),
  /** For the claims in it. */
  reasons: z.array(z.object({ sentence: z.string(), reason: z.string(), author: z.string() })),
  /** Null for as soon as it is approved. */
  liveFrom: z.nullable(z.string()),
  /** Whether the reader has asked, and may withdraw it. */
  isOwn: z.boolean(),
  /** Whether the reader may approve it: they have neither asked nor written any of it. */
  mayApprove: z.boolean(),
})
export type Review = z.output<typeof Review>

/** The last review, while that was declined. */
export const DeclinedReview = z.object({
  number: z.number(),
  note: z.string(),
  declinedBy: z.string(),
  declinedAt: z.string(),
})
export type DeclinedReview = z.output<typeof DeclinedReview>
