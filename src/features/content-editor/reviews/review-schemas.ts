import * as z from 'zod/mini'

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
