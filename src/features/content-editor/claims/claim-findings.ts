import * as z from 'zod/mini'
import { Finding } from '../../../content/claims/finding.ts'
import { fieldsOf } from '../../../ui/form/use-write.ts'
import type { Override } from '../schemas.ts'

const WithFindings = z.object({ findings: z.array(Finding) })

/** What was typed, by `claimId`. */
export type Reasons = Readonly<Record<string, string>>

/** Of a sentence in one field, as a reason is given for it. */
export function claimId({ rule, path, sentence }: Pick<Finding, 'rule' | 'path' | 'sentence'>): string {
  return JSON.stringify([rule, path, sentence])
}

/** What keeps a draft from being published; empty for any other error. */
export function findingsOf(error: Error): readonly Finding[] {
  return fieldsOf(error, 'claims', WithFindings)?.findings ?? []
}

/** A reply names only what still blocks, and what has its reason must be sent again. */
export function addFindings(known: readonly Finding[], found: readonly Finding[]): readonly Finding[] {
  return [...new Map([...known, ...found].map(finding => [claimId(finding), finding])).values()]
}

export function hasReason(finding: Finding, reasons: Reasons): boolean {
  return (reasons[claimId(finding)] ?? '').trim() !== ''
}

export function toOverrides(findings: readonly Finding[], reasons: Reasons): Override[] {
  return findings
    .filter(finding => hasReason(finding, reasons))
    .map(({ rule, path, sentence }) => ({ rule, path, sentence }))
    .map(claim => ({ ...claim, reason: reasons[claimId(claim)] ?? '' }))
}
