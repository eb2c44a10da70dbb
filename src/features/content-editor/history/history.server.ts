import { isScheduled, liveIdOf, markRedirects } from '../../../content/live.server.ts'
import { paged } from '../../../database/paged.ts'
import type { Database } from '../../../database/tables.ts'
import { DEFAULT_LANGUAGE } from '../../../i18n/texts.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'

/** Versions and publications of one document, in SQL. */

/** Newest first. @param cursor the number of the last version of the page before */
export async function listVersions(db: Database, documentId: string, limit: number, cursor?: number) {
  const versions = db
    .selectFrom('content_versions')
    .select(['number', 'author', 'note', 'created_at as createdAt'])
    .where('document_id', '=', documentId)
  const after = cursor === undefined ? undefined : [cursor]
  const page = await paged(versions, { order: ['number'], direction: 'desc', after, limit })
  return { versions: page.rows, nextCursor: page.last?.number ?? null }
}

export type VersionRow = NonNullable<Awaited<ReturnType<typeof findVersion>>>

export async function findVersion(db: Database, documentId: string, number: number) {
  return await db
    .selectFrom('content_versions')
    .select(['id', 'number', 'author', 'note', 'body', 'schema', 'created_at as createdAt'])
    .select(['author_id', 'editors', 'findings'])
    .where('document_id', '=', documentId)
    .where('number', '=', number)
    .executeTakeFirst()
}

/** The publication that is live now, with its version; none while the document is offline. */
export async function findLivePublication(db: Database, now: Date, documentId: string) {
  return await selectPublications(db, documentId)
    .where('publication.id', '=', liveIdOf('publication.document_id', now.toISOString()))
    .executeTakeFirst()
}

export type LivePublication = NonNullable<Awaited<ReturnType<typeof findLivePublication>>>

/** The version that was live until this one went live. */
export async function findLiveBefore(db: Database, documentId: string, versionId: string) {
  const own = db
    .selectFrom('content_publications')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('version_id', '=', versionId)
  return await db
    .selectFrom('content_publications as publication')
    .innerJoin('content_versions as version', 'version.id', 'publication.version_id')
    .select(['version.number', 'version.body', 'version.schema', 'version.findings'])
    .where('publication.document_id', '=', documentId)
    .where('publication.cancelled_at', 'is', null)
    .where('publication.id', '<', own)
    .orderBy('publication.live_from', 'desc')
    .orderBy('publication.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function findScheduled(db: Database, now: Date, documentId: string) {
  return await selectPublications(db, documentId)
    .where(isScheduled(now.toISOString()))
    .orderBy('publication.live_from')
    .orderBy('publication.id')
    .executeTakeFirst()
}

function selectPublications(db: Database, documentId: string) {
  return db
    .selectFrom('content_publications as publication')
    .innerJoin('content_versions as version', 'version.id', 'publication.version_id')
    .select(['publication.live_from', 'publication.created_at'])
    .select(['version.number', 'version.path', 'version.body', 'version.schema', 'version.findings'])
    .where('publication.document_id', '=', documentId)
    .where('publication.cancelled_at', 'is', null)
    .limit(1)
}

/** Cancels what is not live yet. @returns how many publications that were */
export async function cancelScheduled(transaction: Database, clock: Clock, documentId: string) {
  const now = isoAfter(clock)
  const { numUpdatedRows } = await transaction
    .updateTable('content_publications as publication')
    .set({ cancelled_at: now })
    .where('publication.document_id', '=', documentId)
    .where('publication.cancelled_at', 'is', null)
    .where(isScheduled(now))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function wasLive(db: Database, now: Date, versionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('content_publications as publication')
    .select('publication.id')
    .where('publication.version_id', '=', versionId)
    .where('publication.cancelled_at', 'is', null)
    .where(eb => eb.not(isScheduled(now.toISOString())))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether visitors have seen a document. A publication that is cancelled was never live. */
export async function wasPublished(db: Database, documentId: string): Promise<boolean> {
  const query = db.selectFrom('content_publications').select('id').where('document_id', '=', documentId)
  return (await query.where('cancelled_at', 'is', null).limit(1).executeTakeFirst()) !== undefined
}

/** Paths of one document that redirect. Nobody renames a page fifty times while its first address is still in use. */
export const MAX_FORMER_PATHS = 50

/** From now on a path that the document had redirects to the one it has, and its oldest one beyond the limit no longer. */
export async function addRedirect(transaction: Database, clock: Clock, path: string, documentId: string) {
  const target = { document_id: documentId, to_path: null, is_kept: 0, created_at: isoAfter(clock) }
  await transaction
    .insertInto('content_redirects')
    .values({ language: DEFAULT_LANGUAGE, from_path: path, ...target })
    .onConflict(conflict => conflict.columns(['language', 'from_path']).doUpdateSet(target))
    .execute()
  const ofDocument = transaction
    .selectFrom('content_redirects')
    .where('document_id', '=', documentId)
    .where('is_kept', '=', 0)
  const kept = ofDocument.select('from_path').orderBy('created_at', 'desc').orderBy('from_path')
  await transaction
    .deleteFrom('content_redirects')
    .where('document_id', '=', documentId)
    .where('is_kept', '=', 0)
    .where('from_path', 'not in', kept.limit(MAX_FORMER_PATHS))
    .execute()
  await markRedirects(transaction, clock)
}

/** What a deletion ended: what was live, and what was scheduled. @param archivedAt when, which its rows have */
export async function listEnded(db: Database, documentId: string, archivedAt: string) {
  const rows = await db
    .selectFrom('content_publications')
    .select(['version_id', 'live_from', 'cancelled_at', 'created_at'])
    .where('document_id', '=', documentId)
    .orderBy('live_from')
    .orderBy('id')
    .execute()
  const scheduled = rows.filter(row => row.cancelled_at === archivedAt)
  const [live, end] = rows.filter(row => row.cancelled_at === null).slice(-2)
  const wasLive = end?.version_id === null && end.created_at === archivedAt
  const ended = live && wasLive ? [live, ...scheduled] : scheduled
  // Of these alone: a page may have been published a thousand times.
  const ids = ended.flatMap(row => row.version_id ?? [])
  if (ids.length === 0) return []
  const columns = ['id', 'path', 'body', 'schema'] as const
  const query = db.selectFrom('content_versions').select(columns).where('id', 'in', ids)
  const versions = new Map((await query.execute()).map(version => [version.id, version]))
  return ended.flatMap(({ version_id, live_from }) => {
    const version = version_id && versions.get(version_id)
    return version ? [{ ...version, live_from }] : []
  })
}
