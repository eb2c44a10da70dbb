import { type Expression, type SqlBool, sql } from 'kysely'
import { newId } from '../database/id.ts'
import { type Param, prepare } from '../database/prepare.ts'
import type { Database } from '../database/tables.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'

/** The version of a document that visitors see at a time, and since when it and the document are seen. */
export type LiveVersion = Awaited<ReturnType<typeof listLive>>[number]

/** Versions that one query reads; SQLite allows 32,766 parameters. */
const VERSIONS_AT_ONCE = 500

/**
 * Another text after each change of what is live, for whatever reason: a publication, a schedule that comes due, a fact.
 * Polled by every node, so it is three look-ups in indexes. What was live when it was set is noticed by its id.
 */
export async function readRevision(db: Database, now: Date): Promise<string> {
  const { rows } = await selectRevision(db, { now: now.toISOString() })
  return JSON.stringify(rows)
}

const selectRevision = prepare((db, param: Param<{ now: string }>) =>
  db.selectNoFrom(eb => [
    eb
      .selectFrom('content_publications')
      .select(({ fn }) => fn.max('id').as('id'))
      .as('publication'),
    eb
      .selectFrom('content_publications')
      .select(({ fn }) => fn.max('live_from').as('live_from'))
      .where('live_from', '<=', param('now'))
      .where('cancelled_at', 'is', null)
      .as('live_from'),
    eb
      .selectFrom('facts')
      .select(({ fn }) => fn.max('id').as('id'))
      .as('fact'),
  ]),
)

/** What is live: of each document the uncancelled publication with the greatest time and id that is due. */
export async function listLive(db: Database, now: Date) {
  const { rows } = await selectLive(db, { now: now.toISOString() })
  return rows
}

const selectLive = prepare((db, param: Param<{ now: string }>) =>
  db
    .selectFrom('content_documents as document')
    .innerJoin('content_publications as publication', 'publication.document_id', 'document.id')
    .innerJoin('content_versions as version', 'version.id', 'publication.version_id')
    .where('document.archived_at', 'is', null)
    .where(sql<SqlBool>`publication.id = ${liveIdOf('document.id', param('now'))}`)
    .orderBy('publication.live_from', 'desc')
    .orderBy('publication.id', 'desc')
    .select([
      'document.id as documentId',
      'document.kind',
      'document.language',
      'version.id as versionId',
      'version.number',
      'version.path',
      'publication.live_from as liveFrom',
      'version.created_at as createdAt',
    ])
    .select(
      sql<string>`(
        select min(live_from) from content_publications
        where document_id = document.id and cancelled_at is null and version_id is not null)`.as(
        'firstLiveFrom',
      ),
    ),
)

/** What goes live next, with the title of its draft. */
export async function listScheduledNext(db: Database, now: Date, limit: number) {
  return await db
    .selectFrom('content_publications as publication')
    .innerJoin('content_documents as document', 'document.id', 'publication.document_id')
    .innerJoin('content_drafts as draft', 'draft.document_id', 'document.id')
    .select(['document.id', 'draft.title', 'publication.live_from as liveFrom'])
    .where('publication.cancelled_at', 'is', null)
    .where(isScheduled(now.toISOString()))
    .where('document.archived_at', 'is', null)
    .orderBy('publication.live_from')
    .orderBy('publication.id')
    .limit(limit)
    .execute()
}

export async function readVersions(db: Database, ids: readonly string[]) {
  const query = db.selectFrom('content_versions').select(['id', 'body', 'schema', 'findings'])
  const rows = await query.where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, ...stored }) => [id, stored]))
}

/**
 * Another text after each change of the old addresses, whatever the clocks say: by the mark. A node of an earlier version,
 * which may run during an upgrade, leaves none, so the rows count as well.
 */
export async function readRedirectRevision(db: Database): Promise<string> {
  const { rows } = await selectRedirectRevision(db, {})
  return JSON.stringify(rows)
}

const selectRedirectRevision = prepare(db =>
  db
    .selectFrom('content_redirects')
    .select(({ fn }) => [fn.max('created_at').as('last'), fn.countAll().as('count')])
    .select(eb => eb.selectFrom('settings').select('value').where('key', '=', REDIRECTS_MARK).as('mark')),
)

const REDIRECTS_MARK = 'redirects_changed'

/** Has every node read the old addresses again. Call it in the transaction that changes them. */
export async function markRedirects(transaction: Database, clock: Clock) {
  const mark = { value: newId(clock()), updated_at: isoAfter(clock) }
  await transaction
    .insertInto('settings')
    .values({ key: REDIRECTS_MARK, ...mark })
    .onConflict(conflict => conflict.column('key').doUpdateSet(mark))
    .execute()
}

/** Redirects in the memory of a node: five for each page of the largest site that fits. */
export const MAX_REDIRECTS = 10_000

/** The addresses that lead to documents and fixed pages, the newest of them. */
export async function listRedirects(db: Database) {
  return await db
    .selectFrom('content_redirects')
    .select(['from_path', 'document_id', 'to_path'])
    .orderBy('created_at', 'desc')
    .orderBy('from_path')
    .limit(MAX_REDIRECTS)
    .execute()
}

/** The live versions with something overridden, by path. */
export async function listOverridden(db: Database, now: Date) {
  const live = new Map((await listLive(db, now)).map(version => [version.versionId, version]))
  const ids = [...live.keys()]
  const versions = []
  for (let from = 0; from < ids.length; from += VERSIONS_AT_ONCE) {
    const rows = await db
      .selectFrom('content_versions')
      .select(['id', 'number', 'body', 'schema', 'findings'])
      .where('id', 'in', ids.slice(from, from + VERSIONS_AT_ONCE))
      .where('findings', '!=', '[]')
      .execute()
    for (const { id, ...row } of rows) {
      const version = live.get(id)
      if (version) versions.push({ ...version, ...row })
    }
  }
  return versions.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

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
export async function publicationClock(transaction: Database, clock: Clock, documentId: string) {
  const now = clock()
  const query = transaction
    .selectFrom('content_publications')
    .select(eb => eb.fn.max('created_at').as('last'))
  const { last } = await query.where('document_id', '=', documentId).executeTakeFirstOrThrow()
  const next = new Date(last === null ? now : Date.parse(last) + 1)
  return () => (next > now ? next : now)
}
