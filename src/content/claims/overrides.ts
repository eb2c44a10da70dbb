import * as z from 'zod/mini'
import { type Finding, levels } from './finding.ts'

/** A finding that somebody took responsibility for, as it is kept with the version. */
export const RecordedOverride = z.object({
  rule: z.string(),
  level: z.enum(levels),
  path: z.string(),
  sentence: z.string(),
  reason: z.string(),
  /** The name at that time. */
  author: z.string(),
  /** In ISO 8601. */
  at: z.string(),
})
export type RecordedOverride = z.output<typeof RecordedOverride>

/** @param findings the column of a version */
export function readOverrides(findings: string): RecordedOverride[] {
  return z.array(RecordedOverride).parse(JSON.parse(findings))
}

export function record(
  { rule, level, path, sentence }: Finding,
  reason: string,
  by: Pick<RecordedOverride, 'author' | 'at'>,
): RecordedOverride {
  return { rule, level, path, sentence, reason, author: by.author, at: by.at }
}
