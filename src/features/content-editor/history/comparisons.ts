import type { JsonObject } from '../../../content/json.ts'
import type { ContentDocument, OpenDocument, Version } from '../contract.ts'
import { describeField } from '../forms/forms.ts'
import { diffBodies } from './diff.ts'

export interface Comparison {
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
  const before = current ?? versions[0]?.number
  if (chosen === null) return before === undefined ? [] : [{ label: 'Live', before, after: null }]
  const withLive = chosen === current ? [] : [{ label: 'Live', before: current, after: chosen }]
  const withDraft = { label: 'Draft', before: chosen, after: null }
  const others = [...withPredecessor(chosen, current, versions), withDraft]
  const mayGoLive = chosen === review || (current !== null && current < chosen)
  return mayGoLive ? [...withLive, ...others] : [...others, ...withLive]
}

/** None for the first version, for the last one that is loaded, and where the one before is live. */
function withPredecessor(chosen: number, live: number | null, versions: Compared['versions']) {
  const at = versions.findIndex(({ number }) => number === chosen)
  const before = at < 0 ? undefined : versions[at + 1]?.number
  if (before === undefined || before === live) return []
  return [{ label: `Version ${before}`, before, after: chosen }]
}

/** Names of fields in a note. With more, nobody reads them. */
const MAX_NAMED = 3

/** What has changed between two bodies in a few words, as a note to be written over: the history is read by its notes. */
export function describeChanges(
  kind: ContentDocument['kind'],
  before: JsonObject,
  after: JsonObject,
): string {
  const paths = diffBodies(before, after).map(({ path }) => path.split('.').slice(0, 2))
  const names = paths.map(([first = '', second = '']) =>
    describeField(kind, after, /^\d+$/.test(second) ? `${first}.${second}` : first),
  )
  const all = [...new Set(names)]
  const more = all.length - MAX_NAMED
  const words = [...all.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])]
  return new Intl.ListFormat('en-AU').format(words).slice(0, 300)
}
