import { type Expression, type SqlBool, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/tables.ts'

/**
 * What is live at a time, in SQL. A clock may go back, or be behind that of another node: a publication that was live
 * when it was set stays live, so visitors never fall back to an older text, and nobody can cancel what they have seen.
 */

/** In ISO 8601. */
type Time = string | Expression<string>

/** The id of the publication of a document that is live. @param document the column with the id of the document */
export function liveIdOf(document: string, now: Time) {
  return sql<number | null>`(
    select due.id from content_publications as due
    where due.document_id = ${sql.ref(document)} and due.cancelled_at is null
      and (due.live_from <= ${now} or due.live_from <= due.created_at)
    order by due.live_from desc, due.id desc limit 1)`
}

/** Whether a `publication` that is not cancelled is not live yet, and was not. */
export function isScheduled(now: Time) {
  return sql<SqlBool>`(publication.live_from > ${now} and not exists (
    select 1 from content_publications as seen
    where seen.document_id = publication.document_id and seen.cancelled_at is null
      and seen.live_from >= publication.live_from and seen.live_from <= seen.created_at))`
}

/** Whether a `publication` that is not cancelled is live or will be. */
export function isLiveOrScheduled(now: Time) {
  const isLive = sql<SqlBool>`publication.id = ${liveIdOf('publication.document_id', now)}`
  return sql<SqlBool>`(${isScheduled(now)} or ${isLive})`
}

/**
 * The time of what happens to a document now: after all that was published or scheduled of it before. It stands still, so
 * that all rows of a change have one time, which no other change has. Call it with the `content` lock.
 */
export async function publicationClock(
  transaction: Database,
  clock: Clock,
  documentId: string,
): Promise<Clock> {
  const now = clock()
  const query = transaction
    .selectFrom('content_publications')
    .select(eb => eb.fn.max('created_at').as('last'))
  const { last } = await query.where('document_id', '=', documentId).executeTakeFirstOrThrow()
  const next = new Date(last === null ? now : Date.parse(last) + 1)
  return () => (next > now ? next : now)
}
