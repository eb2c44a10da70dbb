import type { FactRow } from '../database/content-tables.ts'
import type { Database } from '../database/tables.ts'
import { describeError } from '../log/logger.ts'
import { type Clock, isoAfter, seconds } from '../platform/clock.ts'
import { findPictureIds, type TypedBody } from './bodies.ts'
import {
  findSampleFees,
  findStrayPin,
  isSignedBySample,
  type SampleFee,
  withoutSampleParts,
} from './claims/sample-parts.server.ts'
import type { Fact, Facts } from './facts.ts'
import { isEqual } from './json.ts'
import { type LiveVersion, listRedirects, readRedirectRevision, readRevision } from './live.server.ts'
import { type Dependencies, type Parsed, parseLive } from './parse-live.server.ts'
import type { SiteBody } from './site-body.ts'
import { type ShownContent, toContent } from './site-content.ts'

/** Milliseconds. What another node publishes, and a schedule that comes due, shows within a second: this and the reading. */
const POLL_INTERVAL = seconds(0.75)

/** One content, and the number by which it is distinguished from those before it. */
export interface ContentRevision {
  readonly revision: number
  /** What the fixed pages show. */
  readonly content: ShownContent
  readonly site: SiteBody
  readonly siteId: string
  /** What nobody has confirmed in the site: claims, testimonials and details of the agency, such as `testimonials.0` and `agent.name`. */
  readonly samples: ReadonlySet<string>
  /** The samples that visitors do not see here: all on https, where strangers read the site, and none in a trial on http. */
  readonly hidden: ReadonlySet<string>
  readonly hidesSamples: boolean
  /** Where the site is, such as `agency.test`; empty where it does not matter. */
  readonly host: string
  /** The fees of the sample that pages have. */
  readonly fees: readonly (SampleFee & { readonly documentId: string })[]
  /** The articles that the agent of the sample signs, by id. */
  readonly bylines: readonly string[]
  /** When the site document was published; null for what the installation came with. */
  readonly siteChangedAt: string | null
  /** Pages, articles and visas by path, the one that went live last first. */
  readonly documents: ReadonlyMap<string, LiveDocument>
  /** An old address → the path to which it leads. */
  readonly redirects: ReadonlyMap<string, string>
  readonly facts: Facts
  /** The ids of the pictures that visitors see. */
  readonly pictures: ReadonlySet<string>
}

/** A document that has a page of its own. */
export interface LiveDocument extends LiveVersion {
  readonly content: Exclude<TypedBody, { kind: 'site' }>
  /** When it was first published; null for what the installation came with. */
  readonly publishedAt: string | null
  /** The same for the version that is live. */
  readonly changedAt: string | null
}

export interface ContentStore {
  /** What is live now. It is never changed, so a page that keeps it is of one revision. */
  read(): ContentRevision
  /**
   * Reads what is live after a change on this node. When it resolves, the listeners have finished. It never fails: while the
   * database cannot be read, which is logged once, visitors get what was live before, and the next poll tries again.
   */
  refresh(): Promise<void>
  /** Whether `read` returns what a transaction with the `content` lock sees, so that what was read of it still holds. */
  isCurrent(transaction: Database): Promise<boolean>
  /** @param listener is called when `read` returns another revision, until the process ends */
  onChange(listener: () => Promise<void>): void
  close(): void
}

/**
 * Reads what is live, and again whenever it changes. @throws when there is no valid site document
 * @param hidesSamples whether visitors see only what somebody has confirmed
 * @param host of the site, whose own pages are no source of a quote
 */
export async function openContentStore(
  dependencies: Dependencies,
  hidesSamples = false,
  host = '',
): Promise<ContentStore> {
  const { db, clock, log } = dependencies
  const listeners: (() => Promise<void>)[] = []
  const readSeen = async () => ({
    content: await readRevision(db, clock()),
    redirects: await readRedirectRevision(db),
  })
  let seen = await readSeen()
  let parsed = await parseLive(dependencies, new Map())
  let current = await assemble(db, 1, parsed, { hidesSamples, host })
  let loading = Promise.resolve()

  async function load() {
    const found = await readSeen()
    if (isEqual(found, seen)) return
    if (found.content === seen.content && (await areSameRedirects(found))) return
    parsed = await parseLive(dependencies, parsed)
    current = await assemble(db, current.revision + 1, parsed, { hidesSamples, host })
    seen = found
    for (const listener of listeners) await listener()
  }

  /** Most addresses are those of drafts that were imported, which lead nowhere yet: then no page is rendered again. */
  async function areSameRedirects(found: typeof seen) {
    const redirects = await readRedirects(db, parsed, current.documents)
    const isSame = isEqual(Object.fromEntries(redirects), Object.fromEntries(current.redirects))
    if (isSame) seen = found
    return isSame
  }

  let isReadable = true
  async function tryLoad() {
    try {
      await load()
      if (!isReadable) log('info', 'API', 'The content can be read again')
      isReadable = true
    } catch (error) {
      if (isReadable) log('error', 'API', 'The content cannot be read', describeError(error))
      isReadable = false
    }
  }

  /** One after the other, so that an earlier state never replaces a later one. */
  function refresh(): Promise<void> {
    loading = loading.then(tryLoad)
    return loading
  }

  let isPolling = false
  async function poll() {
    if (isPolling) return
    isPolling = true
    await refresh()
    isPolling = false
  }

  const timer = setInterval(poll, POLL_INTERVAL).unref()
  return {
    read: () => current,
    refresh,
    isCurrent: async transaction => (await readRevision(transaction, clock())) === seen.content,
    onChange: listener => void listeners.push(listener),
    close: () => clearInterval(timer),
  }
}

type Place = Pick<ContentRevision, 'hidesSamples' | 'host'>

async function assemble(db: Database, revision: number, parsed: Parsed, { hidesSamples, host }: Place) {
  const facts = await listFacts(db)
  const documents = new Map<string, LiveDocument>()
  const pictures = new Set<string>()
  const fees: ContentRevision['fees'][number][] = []
  const bylines: string[] = []
  let current: Pick<ContentRevision, 'site' | 'siteId' | 'siteChangedAt' | 'samples'> | null = null
  for (const { version, content, withoutOlder, samples, pictures: own } of parsed.values()) {
    const changedAt = timeOf(version.liveFrom)
    if (content.kind === 'site') {
      current = { site: content.body, siteId: version.documentId, siteChangedAt: changedAt, samples }
    } else if (withoutOlder.kind !== 'site') {
      const publishedAt = timeOf(version.firstLiveFrom)
      if (isSignedBySample(content)) bylines.push(version.documentId)
      fees.push(...findSampleFees(content).map(fee => ({ ...fee, documentId: version.documentId })))
      const shown = hidesSamples ? withoutSampleParts(withoutOlder) : content
      documents.set(version.path, { ...version, content: shown, changedAt, publishedAt })
      for (const id of own) pictures.add(id)
    }
  }
  if (!current) throw new Error('There is no site document')
  const hidden = hidesSamples ? current.samples : new Set<string>()
  const shown = toContent(current.site, facts, hidesSamples ? hidden : findStrayPin(current.samples))
  for (const id of findPictureIds(shown).values()) pictures.add(id)
  const redirects = await readRedirects(db, parsed, documents)
  return {
    revision,
    content: shown,
    ...current,
    hidden,
    hidesSamples,
    host,
    fees,
    bylines,
    documents,
    redirects,
    facts,
    pictures,
  }
}

/** Content that nobody published is live from the beginning of time, which is no date to show. */
function timeOf(liveFrom: string): string | null {
  return Date.parse(liveFrom) > 0 ? liveFrom : null
}

/** Straight to the current path, so that there are no chains. A path that a document has now does not redirect. */
async function readRedirects(db: Database, parsed: Parsed, documents: ReadonlyMap<string, LiveDocument>) {
  const rows = await listRedirects(db)
  return new Map(
    rows.flatMap(({ from_path: from, document_id: id, to_path: page }) => {
      const to = page ?? parsed.get(id)?.version.path
      return to === undefined || documents.has(from) ? [] : [[from, to] as const]
    }),
  )
}

/** The last row of each name. */
export function currentFacts(db: Database) {
  const last = db
    .selectFrom('facts')
    .select(eb => eb.fn.max('id').as('id'))
    .groupBy('name')
  return db.selectFrom('facts').selectAll().where('id', 'in', last)
}

export async function listFacts(db: Database): Promise<Facts> {
  const rows = await currentFacts(db).orderBy('name').execute()
  return new Map(rows.map(row => [row.name, toFact(row)]))
}

/** Facts that somebody must check. @param today a date of the office, such as 2026-07-01 */
export async function listFactsToReview(db: Database, today: string): Promise<readonly Fact[]> {
  const rows = await currentFacts(db).where('review_by', '<', today).orderBy('review_by').execute()
  return rows.map(toFact)
}

/** Adds facts, or what is now known of them. Call it with the `content` lock. @param checkedBy the name of a person @returns the number of the last row */
export async function addFacts(
  transaction: Database,
  clock: Clock,
  facts: readonly Fact[],
  checkedBy: string,
): Promise<number> {
  const query = transaction.selectFrom('facts').select(eb => eb.fn.max('id').as('last'))
  const { last } = await query.executeTakeFirstOrThrow()
  const before = last ?? 0
  const common = { checked_by: checkedBy, created_at: isoAfter(clock) }
  const rows = facts.map((fact, at) => ({ id: before + at + 1, ...toColumns(fact), ...common }))
  if (rows.length > 0) await transaction.insertInto('facts').values(rows).execute()
  return before + rows.length
}

export function toColumns({ name, value, unit, asAt, source, reviewBy, endsOn }: Fact) {
  const dates = { as_at: asAt, review_by: reviewBy, ends_on: endsOn }
  return { name, value, unit, ...dates, source_title: source.label, source_url: source.url }
}

export function toFact(row: Omit<FactRow, 'id' | 'checked_by' | 'created_at'>): Fact {
  const { name, value, unit } = row
  const source = { label: row.source_title, url: row.source_url }
  return { name, value, unit, asAt: row.as_at, source, reviewBy: row.review_by, endsOn: row.ends_on }
}
