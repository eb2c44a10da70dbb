import { claimKey, type Finding, type RecordedOverride, readOverrides } from './finding.ts'
import { withoutVisa } from './structure-rules.ts'

/** Who a new installation names as the author of its content: the product itself. */
export const SAMPLE_AUTHOR = 'Landfall'
export const SAMPLE_REASON = 'A sample. Prove it, or replace it.'
/** Of what the starter text says of visas, which is true of any agency. */
export const STARTER_REASON = 'Starter text, with its source. Read it before you rely on it.'

/** Whether nobody has confirmed the claim: a person who does gives another reason. */
export function isSample({ author, reason }: Pick<RecordedOverride, 'author' | 'reason'>): boolean {
  return author === SAMPLE_AUTHOR && reason === SAMPLE_REASON
}

/** The claims and testimonials of a version that nobody has confirmed, such as `testimonials.0`. @param findings its column */
export function findSamples(findings: string): ReadonlySet<string> {
  const items = readOverrides(findings)
    .filter(isSample)
    .flatMap(({ path }) => itemOf(path) ?? [])
  return new Set(items)
}

/** A trial at an http address looks whole; the public reads only what somebody has confirmed. */
export function hidesSamples(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/** The claim or the testimonial that a field is part of. */
export function itemOf(path: string): string | null {
  return /^(?:claims|testimonials)\.\d+(?=\.)/.exec(path)?.[0] ?? null
}

/** Whether what was recorded is of a sample that visitors do not see, and the finding is where they would. */
export function isTakenOut(kept: RecordedOverride | undefined, { path }: Finding): boolean {
  return kept !== undefined && isSample(kept) && itemOf(kept.path) !== null && itemOf(path) === null
}

export type OverrideOf = (finding: Finding) => RecordedOverride | undefined

/** By what the claim is, because a sentence that moves keeps its reason. That of a person counts before that of a sample. */
export function overridesByClaim(overrides: readonly RecordedOverride[]): OverrideOf {
  const samplesFirst = [...overrides.filter(isSample), ...overrides.filter(each => !isSample(each))]
  const byClaim = new Map(samplesFirst.map(override => [claimKey(override), override]))
  return ({ rule, sentence }) =>
    byClaim.get(claimKey({ rule, sentence })) ??
    (rule === 'testimonial' ? byClaim.get(claimKey({ rule, sentence: withoutVisa(sentence) })) : undefined)
}
