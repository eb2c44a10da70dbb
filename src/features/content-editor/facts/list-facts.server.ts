import { findFactNames } from '../../../content/bodies.ts'
import type { Fact } from '../../../content/facts.ts'
import { type ContentRevision, toFact } from '../../../content/store.server.ts'
import type { FactRow } from '../../../database/content-tables.ts'
import type { Database } from '../../../database/tables.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { dateIn } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import type { ListedFact, Proposal } from './contract.ts'
import { listFactRows, listProposals, type ProposalRow } from './store.server.ts'

type Needed = Pick<Services, 'clock' | 'content'> & { readonly db: Database }

/** @param userId of the reader @param name of the only fact to list */
export async function listFactsFor({ db, clock, content }: Needed, userId: string, name?: string) {
  const revision = content.read()
  const today = dateIn(clock(), revision.content.company.timeZone)
  const [rows, proposals] = await Promise.all([listFactRows(db, name), listProposals(db, name)])
  const uses = findUses(revision)
  return rows.map(row => ({
    ...describe(row, today),
    usedBy: [...(uses.get(row.name) ?? [])],
    proposal: toProposal(
      proposals.find(each => each.name === row.name),
      userId,
    ),
  }))
}

/** The same for one fact. @throws {HttpError} 404 */
export async function readFact(services: Needed, userId: string, name: string): Promise<ListedFact> {
  const [fact] = await listFactsFor(services, userId, name)
  return fact ?? throwHttpError(404, 'There is no such fact')
}

function describe(row: FactRow, today: string) {
  const { name, ...fact } = toFact(row)
  const state = stateOf(fact, today)
  return { name, fact, revision: row.id, state, checkedBy: row.checked_by, checkedAt: row.created_at }
}

function stateOf({ endsOn, reviewBy }: Omit<Fact, 'name'>, today: string): ListedFact['state'] {
  if (endsOn !== null && endsOn < today) return 'ended'
  return reviewBy < today ? 'overdue' : 'current'
}

function toProposal(row: ProposalRow | undefined, userId: string): Proposal | null {
  if (!row) return null
  const { name: _, ...fact } = toFact(row)
  const { id, asked_by: askedBy, asked_at: askedAt } = row
  return { id, fact, askedBy, askedAt, isOwn: row.asked_by_id === userId }
}

type Use = ListedFact['usedBy'][number]
type Uses = ReadonlyMap<string, readonly Use[]>

/** Searching all documents takes some milliseconds, so it is done once for each revision. */
const known = new WeakMap<ContentRevision, Uses>()

/** The live documents that show a fact, by its name: the site first. */
function findUses(revision: ContentRevision): Uses {
  const uses = known.get(revision) ?? collectUses(revision)
  known.set(revision, uses)
  return uses
}

function collectUses({ site, siteId, documents }: ContentRevision): Uses {
  const uses = new Map<string, Use[]>()
  function add(body: unknown, use: Use) {
    for (const name of new Set(findFactNames(body).map(([, each]) => each)))
      uses.set(name, [...(uses.get(name) ?? []), use])
  }
  add(site, { id: siteId, title: site.company.siteName })
  for (const { documentId: id, content } of documents.values())
    add(content.body, { id, title: content.body.title })
  return uses
}
