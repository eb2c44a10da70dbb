import { z } from 'zod'
import { isScheduled } from '../content/live.server.ts'
import type { Transaction } from '../database/transaction.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import type { Source } from './row-snapshot.ts'

/** The migration that created the publications. */
const FIRST_WITH_CONTENT = '0018-content'

const Publication = z.object({
  id: z.number(),
  document_id: z.string(),
  cancelled_at: z.nullable(z.string()),
})

/** @returns the publications that are not cancelled, as `nameOf` calls them */
export async function readPublications(source: Source): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  if (source.migration < FIRST_WITH_CONTENT) return found
  for await (const batch of source.rows({ name: 'content_publications', key: ['id'], isNumbered: true }))
    for (const row of z.array(Publication).parse(batch)) if (row.cancelled_at === null) found.add(nameOf(row))
  return found
}

/** Ids count the publications of one database. */
const nameOf = ({ id, document_id }: Pick<z.output<typeof Publication>, 'id' | 'document_id'>) =>
  `${id} ${document_id}`

/**
 * Cancels what was scheduled when the backup was made and may have been cancelled since: what somebody withdrew must not go
 * live by itself. @param kept the publications that still stood; null when that is not known: then all are cancelled
 * @param madeAt when the database was left @returns them, for the operator
 */
export async function cancelSchedules(
  transaction: Transaction,
  clock: Clock,
  kept: ReadonlySet<string> | null,
  madeAt: string,
): Promise<string[]> {
  const scheduled = await transaction
    .selectFrom('content_publications as publication')
    .innerJoin('content_documents as document', 'document.id', 'publication.document_id')
    .select(['publication.id', 'publication.document_id', 'publication.live_from', 'document.path'])
    .where('publication.cancelled_at', 'is', null)
    .where(isScheduled(madeAt))
    .orderBy('publication.live_from')
    .orderBy('publication.id')
    .execute()
  const ended = scheduled.filter(row => !kept?.has(nameOf(row)))
  for (const { id } of ended)
    await transaction
      .updateTable('content_publications')
      .set({ cancelled_at: isoAfter(clock) })
      .where('id', '=', id)
      .execute()
  return ended.map(({ path, live_from }) => `${path}, for ${live_from}`)
}
