import { currentSchema, readBody } from '../../../content/bodies.ts'
import type { Fact } from '../../../content/facts.ts'
import { isScheduled } from '../../../content/live.server.ts'
import type { Person } from '../../../content/reviews.server.ts'
import { currentFacts, toColumns } from '../../../content/store.server.ts'
import { newId } from '../../../database/id.ts'
import type { Database } from '../../../database/tables.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'

/** Facts and the changes of them that wait for a second person, in SQL. */

export async function listFactRows(db: Database, name?: string) {
  return await currentFacts(db)
    .$if(name !== undefined, select => select.where('name', '=', name ?? ''))
    .orderBy('name')
    .execute()
}

export async function countFactNames(db: Database): Promise<number> {
  const query = db.selectFrom('facts').select(eb => eb.fn.count('name').distinct().as('count'))
  return Number((await query.executeTakeFirstOrThrow()).count)
}

export async function countFactRows(db: Database, name: string): Promise<number> {
  const query = db.selectFrom('facts').select(eb => eb.fn.countAll().as('count'))
  return Number((await query.where('name', '=', name).executeTakeFirstOrThrow()).count)
}

export type ProposalRow = Awaited<ReturnType<typeof listProposals>>[number]

export async function listProposals(db: Database, name?: string) {
  return await db
    .selectFrom('fact_proposals')
    .selectAll()
    .$if(name !== undefined, select => select.where('name', '=', name ?? ''))
    .execute()
}

/** What goes live by itself and may name a fact. A body that this node cannot read is left to the node that wrote it. */
export async function listScheduledBodies(db: Database, now: Date, fact: string): Promise<unknown[]> {
  const versions = await db
    .selectFrom('content_publications as publication')
    .innerJoin('content_versions as version', 'version.id', 'publication.version_id')
    .innerJoin('content_documents as document', 'document.id', 'publication.document_id')
    .select(['document.kind', 'version.body', 'version.schema'])
    .where('publication.cancelled_at', 'is', null)
    .where(isScheduled(now.toISOString()))
    .where('document.archived_at', 'is', null)
    .where('version.body', 'like', `%${fact}%`)
    .execute()
  return versions
    .filter(({ kind, schema }) => schema <= currentSchema(kind))
    .map(({ kind, ...stored }) => readBody(kind, stored))
}

/** Call it with the `content` lock, after the proposal before it is deleted. */
export async function insertProposal(
  transaction: Database,
  clock: Clock,
  factId: number,
  fact: Fact,
  { id, name }: Person,
): Promise<void> {
  const asked = { asked_by_id: id, asked_by: name, asked_at: isoAfter(clock) }
  await transaction
    .insertInto('fact_proposals')
    .values({ id: newId(clock()), fact_id: factId, ...toColumns(fact), ...asked })
    .execute()
}

export async function deleteProposal(transaction: Database, name: string): Promise<void> {
  await transaction.deleteFrom('fact_proposals').where('name', '=', name).execute()
}
