import * as z from 'zod/mini'
import { RecordedOverride } from '../../content/claims/overrides.ts'

/** What the claim check of the form knows beside the draft and the facts. */
export const KnownClaims = z.object({
  /** What somebody took responsibility for in the version that is live. */
  recorded: z.array(RecordedOverride),
  /** The subclasses that the site describes, by number. */
  subclasses: z.record(z.string(), z.enum(['open', 'closed'])),
  /** Whether visitors see only claims and testimonials of the site that somebody has confirmed. */
  hidesSamples: z.boolean(),
})
export type KnownClaims = z.output<typeof KnownClaims>
