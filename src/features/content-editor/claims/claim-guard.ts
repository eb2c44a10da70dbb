import { findClaims } from '../../../content/claims/find-claims.ts'
import type { Finding, RecordedOverride } from '../../../content/claims/finding.ts'
import { isSample, isTakenOut, overridesByClaim } from '../../../content/claims/samples.ts'
import { isObject } from '../../../content/json.ts'
import type { ListedFact } from '../facts/contract.ts'
import type { KnownClaims } from '../schemas.ts'

/** A finding in the draft, and who has taken responsibility for it in the version that is live. */
export interface GuardedClaim extends Finding {
  readonly kept: RecordedOverride | null
  /** Whether it came with the product and nobody has confirmed it. */
  readonly isSample: boolean
}

export interface GuardContext {
  readonly language: string
  /** At the office, such as 2026-07-01. */
  readonly today: string
  readonly known: KnownClaims
  readonly facts: readonly ListedFact[]
  /** Of this site. */
  readonly host: string
}

/** The same check as at publication, with the reasons that hold on. Only its own chunk has the rules. */
export function guard(body: unknown, context: GuardContext): readonly GuardedClaim[] {
  const { known, facts, language, today, host } = context
  const findings = findClaims(body, {
    language,
    today,
    facts: new Map(facts.map(({ name, fact }) => [name, { ...fact, name }])),
    subclasses: new Map(Object.entries(known.subclasses)),
    // A page may lead to itself before it is live.
    paths: new Set([...known.paths, ...pathOf(body)]),
    people: known.people,
    host,
  })
  const recordedOf = overridesByClaim(known.recorded)
  return findings.map(finding => {
    const before = recordedOf(finding)
    const kept = before && !isTakenOut(before, finding) ? before : null
    return { ...finding, kept, isSample: kept !== null && isSample(kept) }
  })
}

function pathOf(body: unknown): readonly string[] {
  return isObject(body) && typeof body.path === 'string' ? [body.path] : []
}
