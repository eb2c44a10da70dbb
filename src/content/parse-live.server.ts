import type { Database } from '../database/tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import type { Clock } from '../platform/clock.ts'
import { findPictureIds, parseStored, type StoredBody, type TypedBody } from './bodies.ts'
import { findSampleParts, withoutSampleTexts } from './claims/sample-parts.server.ts'
import { findSamples } from './claims/samples.ts'
import { type LiveVersion, listLive, readVersions } from './live.server.ts'

/** Versions whose stored text is in memory while it is parsed: a few mebibytes, and a query for each is soon done. */
const PARSED_AT_ONCE = 20

export interface Dependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

interface ParsedBody {
  readonly content: TypedBody
  /** The same without what the starter text of an earlier version says of the sample agency. */
  readonly withoutOlder: TypedBody
  /** What nobody has confirmed in it: claims, testimonials and details of the sample agency. */
  readonly samples: ReadonlySet<string>
  readonly pictures: readonly string[]
}

interface ParsedVersion extends ParsedBody {
  readonly version: LiveVersion
}

/** By the id of the document, the one that went live last first. */
export type Parsed = ReadonlyMap<string, ParsedVersion>

/** Parses only versions that were not live before, because a version never changes. */
export async function parseLive({ db, clock, log }: Dependencies, before: Parsed): Promise<Parsed> {
  const known = new Map<string, ParsedBody>([...before.values()].map(it => [it.version.versionId, it]))
  const live = await listLive(db, clock())
  const added = live.filter(({ versionId }) => !known.has(versionId))
  for (let from = 0; from < added.length; from += PARSED_AT_ONCE)
    await parseSome(db, log, added.slice(from, from + PARSED_AT_ONCE), known)
  const parsed = new Map<string, ParsedVersion>()
  for (const version of live) {
    const body = known.get(version.versionId)
    // One that this node cannot read, because a newer node wrote it, leaves what was live before.
    const shown = body ? { ...body, version } : before.get(version.documentId)
    if (shown) parsed.set(version.documentId, shown)
  }
  return parsed
}

async function parseSome(
  db: Database,
  log: Log,
  versions: readonly LiveVersion[],
  parsed: Map<string, ParsedBody>,
) {
  const bodies = await readVersions(
    db,
    versions.map(({ versionId }) => versionId),
  )
  for (const version of versions) {
    const body = parse(version, bodies.get(version.versionId), log)
    if (body) parsed.set(version.versionId, body)
  }
}

type Stored = StoredBody & { readonly findings: string }

function parse(version: LiveVersion, stored: Stored | undefined, log: Log): ParsedBody | null {
  try {
    if (!stored) throw new Error('The version is missing')
    const content = parseStored(version.kind, stored)
    const own = content.kind === 'site' ? stored.body : withoutSampleTexts(stored.body)
    const withoutOlder = own === stored.body ? content : parseStored(version.kind, { ...stored, body: own })
    const pictures = [...findPictureIds(content.body).values()]
    const parts = content.kind === 'site' ? findSampleParts(content.body) : []
    return { content, withoutOlder, samples: new Set([...findSamples(stored.findings), ...parts]), pictures }
  } catch (error) {
    const about = { document: version.documentId, path: version.path, version: version.number }
    log('error', 'API', 'A version of the content cannot be read', { ...about, ...describeError(error) })
    return null
  }
}
