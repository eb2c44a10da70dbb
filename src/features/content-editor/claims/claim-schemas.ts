import * as z from 'zod/mini'
import { REASON_LENGTH } from '../../../content/claims/finding.ts'
import { RecordedOverride } from '../../../content/claims/overrides.ts'
import { singleLine } from '../../../http/common-schemas.ts'

/** What the claim check of the form knows beside the draft and the facts. */
export const KnownClaims = z.object({
  /** What somebody took responsibility for in the version that is live. */
  recorded: z.array(RecordedOverride),
  /** The subclasses that the site describes, by number. */
  subclasses: z.record(z.string(), z.enum(['open', 'closed'])),
  /** The paths that lead to a page of this site. */
  paths: z.array(z.string()),
  /** Whether visitors see only claims and testimonials of the site that somebody has confirmed. */
  hidesSamples: z.boolean(),
})
export type KnownClaims = z.output<typeof KnownClaims>

export const Override = z.strictObject({
  rule: singleLine(1, 'Name the rule', 100, 'Rule'),
  path: singleLine(1, 'Name the field', 500, 'Field'),
  sentence: singleLine(1, 'Quote the sentence', 2000, 'Sentence'),
  reason: singleLine(1, 'Give a reason', REASON_LENGTH, 'Reason'),
})
export type Override = z.output<typeof Override>
