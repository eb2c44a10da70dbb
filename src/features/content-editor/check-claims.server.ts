import type { SignedInUser } from '../../auth/session.ts'
import { dateIn } from '../../clock.ts'
import { subclassesOf } from '../../content/claims/claim-context.ts'
import { findClaims } from '../../content/claims/find-claims.ts'
import { type ClaimContext, claimKey, type Finding, mayOverride } from '../../content/claims/finding.ts'
import { type RecordedOverride, record } from '../../content/claims/overrides.ts'
import { isTakenOut, type OverrideOf, overridesByClaim } from '../../content/claims/samples.ts'
import type { TypedBody } from '../../content/typed-body.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import type { Override } from './override-schema.ts'

/** Findings in a reply: as many as a publication may override. The others come when these are settled. */
const MAX_FINDINGS = 200

/** What the claim check gets of a publication. */
export interface ClaimCheck {
  readonly draft: TypedBody
  /** What is live, or null while the document is offline: only findings that it does not have block. */
  readonly live: TypedBody | null
  /** The overrides that were kept with what is live, or with a version that waits for approval. */
  readonly recorded: readonly RecordedOverride[]
  /** What the user takes responsibility for now. */
  readonly overrides: readonly Override[]
  readonly user: SignedInUser
  readonly now: Date
  /** What is live on the site. */
  readonly content: ReturnType<Services['content']['read']>
}

/** @returns the findings that are overridden, to be kept with the version @throws {HttpError} 422 with the `findings` that block */
export function checkClaims(check: ClaimCheck): readonly RecordedOverride[] {
  const context = contextOf(check)
  const findings = findBlocking(check.draft, context)
  const before = overridesByClaim(check.recorded)
  const overridden = collectOverrides(check, findings, before)
  const known = new Set(check.live ? findBlocking(check.live, context).map(claimKey) : [])
  const isKnown = (finding: Finding) => known.has(claimKey(finding)) && !isTakenOut(before(finding), finding)
  const blocking = findings.filter(finding => !isKnown(finding) && !overridden.has(placeKey(finding)))
  if (blocking.length > 0)
    throwHttpError(422, 'Some sentences need a reason, or other words', {
      code: 'claims',
      fields: { findings: blocking.slice(0, MAX_FINDINGS) },
    })
  return [...overridden.values()]
}

function contextOf({ content: { site, facts }, now }: ClaimCheck): ClaimContext {
  const today = dateIn(now, site.company.timeZone)
  return { language: 'en', today, facts, subclasses: subclassesOf(site), paths: null }
}

function findBlocking({ body }: TypedBody, context: ClaimContext): Finding[] {
  return findClaims(body, context).filter(({ level }) => level !== 'hint')
}

/** By place. What was recorded holds on while the sentence stays; only an admin may override a stop. */
function collectOverrides(
  { overrides, user, now }: ClaimCheck,
  findings: readonly Finding[],
  before: OverrideOf,
) {
  const given = new Map(overrides.map(override => [placeKey(override), override.reason]))
  const by = { author: user.name, at: now.toISOString() }
  const overridden = new Map<string, RecordedOverride>()
  for (const finding of findings) {
    const reason = mayOverride(finding.level, user.role) ? given.get(placeKey(finding)) : undefined
    const kept = before(finding)
    if (reason !== undefined) overridden.set(placeKey(finding), record(finding, reason, by))
    else if (kept && !isTakenOut(kept, finding))
      overridden.set(placeKey(finding), record(finding, kept.reason, kept))
  }
  return overridden
}

/** An override is for one sentence in one place, so a changed sentence needs another one. */
function placeKey({ rule, path, sentence }: Pick<Finding, 'rule' | 'path' | 'sentence'>): string {
  return JSON.stringify([rule, path, sentence])
}
