import * as z from 'zod/mini'
import { singleLine } from '../../http/common-schemas.ts'

/** A finding of the claim check that somebody takes responsibility for. */
export const Override = z.strictObject({
  rule: singleLine(1, 'Name the rule', 100, 'Rule'),
  path: singleLine(1, 'Name the field', 500, 'Field'),
  sentence: singleLine(1, 'Quote the sentence', 2000, 'Sentence'),
  reason: singleLine(1, 'Give a reason', 500, 'Reason'),
})
export type Override = z.output<typeof Override>
