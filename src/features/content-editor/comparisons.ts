import type { OpenDocument, Version } from './contract.ts'

/** Two bodies that are shown beside each other. */
export interface Comparison {
  /** The choice of it. */
  readonly label: string
  /** The number of a version; null for nothing at all. */
  readonly before: number | null
  /** The number of a version; null for the draft. */
  readonly after: number | null
}

export interface Compared {
  /** The number of a version; null for the draft. */
  readonly chosen: number | null
  readonly live: Pick<NonNullable<OpenDocument['live']>, 'number'> | null
  /** The version that waits for a second person. */
  readonly review: number | null
  /** Those that are loaded, newest first. */
  readonly versions: readonly Pick<Version, 'number'>[]
}

/**
 * What can be shown of a version or the draft; what is shown first comes first. A version that would go live stands beside what
 * visitors see now: the version before it may never have been live, so what differs from that is not all that would change.
 */
export function listComparisons({ chosen, live, review, versions }: Compared): readonly Comparison[] {
  const current = live?.number ?? null
  if (chosen === null) return ofDraft(current ?? versions[0]?.number)
  const withLive = chosen === current ? [] : [{ label: 'Live', before: current, after: chosen }]
  const withDraft = { label: 'Draft', before: chosen, after: null }
  const others = [...withPredecessor(chosen, current, versions), withDraft]
  const mayGoLive = chosen === review || (current !== null && current < chosen)
  return mayGoLive ? [...withLive, ...others] : [...others, ...withLive]
}

function ofDraft(before: number | undefined): readonly Comparison[] {
  return before === undefined ? [] : [{ label: 'Live', before, after: null }]
}

/** None for the first version, for the last one that is loaded, and where the one before is live. */
function withPredecessor(chosen: number, live: number | null, versions: Compared['versions']) {
  const at = versions.findIndex(({ number }) => number === chosen)
  const before = at < 0 ? undefined : versions[at + 1]?.number
  if (before === undefined || before === live) return []
  return [{ label: `Version ${before}`, before, after: chosen }]
}
