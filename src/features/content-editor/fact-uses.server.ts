import { findFactNames } from '../../content/bodies.ts'
import type { ContentRevision } from '../../content/store.server.ts'

/** A document on which visitors see a fact; the site has no id in the content of a node. */
interface Use {
  readonly id: string | null
  readonly title: string
}

type Uses = ReadonlyMap<string, readonly Use[]>

/** Searching all documents takes some milliseconds, so it is done once for each revision. */
const known = new WeakMap<ContentRevision, Uses>()

/** The live documents that show a fact, by its name: the site first. */
export function findUses(revision: ContentRevision): Uses {
  const uses = known.get(revision) ?? collectUses(revision)
  known.set(revision, uses)
  return uses
}

function collectUses({ site, documents }: ContentRevision): Uses {
  const uses = new Map<string, Use[]>()
  function add(body: unknown, use: Use) {
    for (const name of new Set(findFactNames(body).map(([, each]) => each)))
      uses.set(name, [...(uses.get(name) ?? []), use])
  }
  add(site, { id: null, title: site.company.siteName })
  for (const { documentId: id, content } of documents.values())
    add(content.body, { id, title: content.body.title })
  return uses
}
