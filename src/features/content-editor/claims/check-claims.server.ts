import type { SignedInUser } from '../../../auth/session.ts'
import type { TypedBody } from '../../../content/bodies.ts'
import { claimsOf } from '../../../content/claims/find-claims.ts'
import {
  type ClaimContext,
  claimKey,
  type Finding,
  mayOverride,
  type RecordedOverride,
  record,
  saysTheSame,
  subclassesOf,
} from '../../../content/claims/finding.ts'
import { isTakenOut, type OverrideOf, overridesByClaim } from '../../../content/claims/samples.ts'
import { listVisas } from '../../../content/visas.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { dateIn } from '../../../platform/clock.ts'
import { takeTurns } from '../../../platform/turns.ts'
import type { Services } from '../../../services.ts'
import type { Override } from '../schemas.ts'

/** Findings in a reply: as many as a publication may override. The others come when these are settled. */
export const MAX_FINDINGS = 200

/** Findings that are compared with what is live. With more, nobody could give a reason for each. */
const MAX_COMPARED = 2000

/** A body, and the text that it was stored as. */
export interface CheckedBody {
  /** It may be a draft that is not ready. */
  readonly typed: { readonly kind: TypedBody['kind']; readonly body: unknown }
  readonly text: string
}

export interface ClaimCheck {
  readonly draft: CheckedBody
  /** What is live, or null while the document is offline: only findings that it does not have block. */
  readonly live: CheckedBody | null
  /** The overrides that were kept with what is live, or with a version that waits for approval. */
  readonly recorded: readonly RecordedOverride[]
  /** What the user takes responsibility for now. */
  readonly overrides: readonly Override[]
  readonly user: SignedInUser
  readonly now: Date
  readonly content: ReturnType<Services['content']['read']>
}

/** @returns the findings that are overridden, to be kept with the version @throws {HttpError} 422 with the `findings` that block */
export function checkClaims(check: ClaimCheck): readonly RecordedOverride[] {
  const { blocking, overridden } = findOpenClaims(check)
  if (blocking.length > 0)
    throwHttpError(422, 'Some passages need a change, or a reason', {
      code: 'claims',
      fields: { findings: blocking.slice(0, MAX_FINDINGS) },
    })
  return overridden
}

export function findOpenClaims(check: ClaimCheck) {
  const findings = findBlocking(check.draft, check)
  if (findings.length > MAX_COMPARED) return { blocking: findings, overridden: [] }
  const before = overridesByClaim(check.recorded)
  const known = new Set(check.live ? findBlocking(check.live, check).map(claimKey) : [])
  const overridden = collectOverrides(check, findings, before, known)
  const isKnown = (finding: Finding) => known.has(claimKey(finding)) && !isTakenOut(before(finding), finding)
  const blocking = findings.filter(finding => !isKnown(finding) && !overridden.has(placeKey(finding)))
  return { blocking, overridden: [...overridden.values()] }
}

type Read = Pick<ClaimCheck, 'content' | 'now'>

export function contextOf({ content, now }: Read): ClaimContext {
  const { site, facts } = content
  const today = dateIn(now, site.company.timeZone)
  return {
    language: 'en',
    today,
    facts,
    subclasses: subclassesOf(listVisas(content)),
    paths: null,
    people: null,
    host: content.host,
  }
}

/** Reading may take a third of a second, so it is done beforehand; here only for what has changed since. */
function findBlocking(body: CheckedBody, read: Read): readonly Finding[] {
  const known = foundIn(read)
  const key = keyOf(body, read)
  const findings = known.get(key) ?? [...blockingIn(body, read)].flat()
  known.set(key, findings)
  return findings
}

/** Reads a body before it is checked, so that nothing else waits: neither requests nor those who want to write. */
export async function prepareClaims(body: CheckedBody, read: Read): Promise<void> {
  const known = foundIn(read)
  const key = keyOf(body, read)
  if (known.has(key)) return
  const findings: Finding[] = []
  const pause = await takeTurns()
  for (const found of blockingIn(body, read)) {
    findings.push(...found)
    await pause()
  }
  const [oldest] = known.keys()
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  known.set(key, findings)
}

/** Bodies whose findings are kept: those of a publication, and of a few others at the same time. */
const MAX_KNOWN = 8

/** What was found, for as long as the same content is live. */
const found = new WeakMap<object, Map<string, readonly Finding[]>>()

function foundIn({ content }: Read): Map<string, readonly Finding[]> {
  const known = found.get(content) ?? new Map<string, readonly Finding[]>()
  found.set(content, known)
  return known
}

function keyOf({ typed: { kind }, text }: CheckedBody, read: Read): string {
  return `${contextOf(read).today} ${kind} ${text}`
}

/** In steps. What is too much to be compared is not read to its end. */
function* blockingIn({ typed: { body } }: CheckedBody, read: Read): Generator<readonly Finding[]> {
  let count = 0
  for (const findings of claimsOf(body, contextOf(read))) {
    const blocking = findings.filter(({ level }) => level !== 'hint')
    yield blocking
    count += blocking.length
    if (count > MAX_COMPARED) return
  }
}

/**
 * By place. What was recorded holds on while the sentence stays, and also says the same or is live; only an admin may override
 * a stop. @param live the claims of what is live
 */
function collectOverrides(
  { overrides, user, now, content: { facts } }: ClaimCheck,
  findings: readonly Finding[],
  before: OverrideOf,
  live: ReadonlySet<string>,
) {
  const given = new Map(overrides.map(override => [placeKey(override), override.reason]))
  const by = { author: user.name, at: now.toISOString() }
  const overridden = new Map<string, RecordedOverride>()
  for (const finding of findings) {
    const reason = mayOverride(finding.level, user.role) ? given.get(placeKey(finding)) : undefined
    const kept = before(finding)
    const holds = kept && (live.has(claimKey(finding)) || saysTheSame(kept, facts))
    if (reason !== undefined) overridden.set(placeKey(finding), record(finding, reason, by, facts))
    else if (holds && !isTakenOut(kept, finding))
      overridden.set(placeKey(finding), record(finding, kept.reason, kept, facts))
  }
  return overridden
}

/** An override is for one sentence in one place, so a changed sentence needs another one. */
function placeKey({ rule, path, sentence }: Pick<Finding, 'rule' | 'path' | 'sentence'>): string {
  return JSON.stringify([rule, path, sentence])
}
