import { type SqlBool, sql } from 'kysely'
import { type Body, currentSchema } from '../../content/bodies.ts'
import { type Author, addEditors, listPictures, recordDraftPictures } from '../../content/documents.server.ts'
import { isScheduled, liveIdOf } from '../../content/live.server.ts'
import { titleOf } from '../../content/schema.ts'
import type { ContentDraftRow, ContentKind } from '../../database/content-tables.ts'
import { isPostgres } from '../../database/engine.ts'
import { paged } from '../../database/paged.ts'
import type { Database } from '../../database/tables.ts'
import type { Transaction } from '../../database/transaction.ts'
import { DEFAULT_LANGUAGE } from '../../i18n/texts.ts'
import type { AuditLog } from '../../log/logger.ts'
import { type Clock, isoAfter } from '../../platform/clock.ts'
import type { ContentDocument, DocumentQuery, DocumentState } from './contract.ts'

/** A document with what its state follows from. */
export type DocumentRow = Awaited<ReturnType<typeof findDocument>> & object

/** The site first, then by path. Several that were deleted may have had one path. */
export async function listDocuments(db: Database, now: Date, query: DocumentQuery) {
  const { limit, cursor, q, kind, state, editedBy } = query
  const [path = '', id = ''] = cursor?.split(' ') ?? []
  const documents = selectDocuments(db, now, state === 'deleted')
    .$if(kind !== undefined, select => select.where('kind', '=', kind ?? 'page'))
    .$if(state !== undefined, select => select.where(STATE, '=', state ?? 'live'))
    .$if(Boolean(editedBy), select => select.where('edited_by', '=', editedBy ?? ''))
    .$if(Boolean(q), select => select.where(hasText(q ?? '')))
  const after = cursor === undefined ? undefined : [path, id]
  const { rows, last } = await paged(documents, { order: ['path', 'id'], direction: 'asc', after, limit })
  return {
    documents: rows.map(toDocument),
    nextCursor: last ? `${last.path} ${last.id}` : null,
    people: await listPeople(db),
  }
}

function hasText(q: string) {
  const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, mark => `\\${mark}`)}%`
  return sql<SqlBool>`lower(title || ' ' || path) like ${pattern} escape '\\'`
}

async function listPeople(db: Database): Promise<string[]> {
  const query = db.selectFrom('content_drafts').select('edited_by').distinct().orderBy('edited_by')
  return (await query.execute()).map(row => row.edited_by)
}

export async function findDocument(db: Database, now: Date, id: string) {
  return await selectDocuments(db, now, false).where('id', '=', id).executeTakeFirst()
}

export async function findKind(db: Database, id: string): Promise<ContentKind | undefined> {
  const document = db.selectFrom('content_documents').select('kind').where('id', '=', id)
  const found = document.where('archived_at', 'is', null).where('language', '=', DEFAULT_LANGUAGE)
  return (await found.executeTakeFirst())?.kind
}

/** Every page that somebody has added, live or not. */
export async function listPaths(db: Database) {
  return await db
    .selectFrom('content_documents as document')
    .innerJoin('content_drafts as draft', 'draft.document_id', 'document.id')
    .select(['document.path', 'draft.title'])
    .where('document.archived_at', 'is', null)
    .where('document.language', '=', DEFAULT_LANGUAGE)
    .where('document.kind', '!=', 'site')
    .execute()
}

/** What visitors see compared with the draft. */
const STATE = sql<DocumentState>`case
  when archived_at is not null then 'deleted'
  when scheduled_for is not null then 'scheduled'
  when live_version_id is null then 'offline'
  when revision <> base_revision or coalesce(base_version_id, '') <> live_version_id then 'changed'
  else 'live' end`

function selectDocuments(db: Database, now: Date, isArchived: boolean) {
  return db
    .selectFrom(selectFacts(db, now, isArchived).as('document'))
    .selectAll()
    .select(STATE.as('state'))
}

function selectFacts(db: Database, now: Date, isArchived: boolean) {
  const time = now.toISOString()
  return db
    .selectFrom('content_documents as document')
    .innerJoin('content_drafts as draft', 'draft.document_id', 'document.id')
    .where('document.archived_at', isArchived ? 'is not' : 'is', null)
    .where('document.language', '=', DEFAULT_LANGUAGE)
    .select([
      'document.id',
      'document.kind',
      'document.path',
      'document.language',
      'document.archived_at',
      'draft.title',
      'draft.revision',
      'draft.base_version_id',
      'draft.base_revision',
      'draft.edited_by',
      'draft.edited_at',
    ])
    .select(eb => [
      eb
        .selectFrom('content_publications')
        .select('version_id')
        .where('id', '=', liveIdOf('document.id', time))
        .as('live_version_id'),
      eb
        .selectFrom('content_publications as publication')
        .select(({ fn }) => fn.min('publication.live_from').as('live_from'))
        .whereRef('publication.document_id', '=', 'document.id')
        .where('publication.cancelled_at', 'is', null)
        .where(isScheduled(time))
        .as('scheduled_for'),
    ])
}

export function toDocument(row: DocumentRow): ContentDocument {
  const { id, kind, path, title, language, state } = row
  return { id, kind, path, title, language, state, updatedAt: row.edited_at, editedBy: row.edited_by }
}

/** Whether a draft differs from the version that it began as. */
export function isChanged({ revision, base_revision }: Pick<ContentDraftRow, 'revision' | 'base_revision'>) {
  return revision !== base_revision
}

export async function findDraft(db: Database, documentId: string) {
  return await selectDraft(db, documentId).executeTakeFirst()
}

/** Reads a draft that nobody can change until the transaction ends. */
export async function lockDraft(transaction: Database, documentId: string) {
  return await selectDraft(transaction, documentId)
    // SQLite has one writer, so its transaction needs no row lock.
    .$if(isPostgres(transaction), query => query.forUpdate())
    .executeTakeFirst()
}

function selectDraft(db: Database, documentId: string) {
  return db.selectFrom('content_drafts').selectAll().where('document_id', '=', documentId)
}

/** Takes as long as the body is, so where possible nobody waits for it in a transaction. */
export function toNewText(kind: ContentKind, body: Body) {
  return { kind, title: titleOf(body), body: JSON.stringify(body), pictures: listPictures(body) }
}

/** Replaces the draft at this revision, in a transaction. @returns whether it was still at it */
export async function updateDraft(
  transaction: Database,
  clock: Clock,
  documentId: string,
  revision: number,
  { kind, title, body, pictures }: ReturnType<typeof toNewText>,
  author: Author,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('content_drafts')
    .set({ title, body, schema: currentSchema(kind), revision: revision + 1 })
    .set({ edited_by_id: author.id, edited_by: author.name, edited_at: isoAfter(clock) })
    .where('document_id', '=', documentId)
    .where('revision', '=', revision)
    .executeTakeFirst()
  const isUpdated = numUpdatedRows > 0n
  if (!isUpdated) return false
  await addEditors(transaction, documentId, [author.id], revision + 1)
  await recordDraftPictures(transaction, documentId, pictures)
  return true
}

/** @param archivedAt in ISO 8601; null brings the document back */
export async function setArchived(transaction: Database, id: string, archivedAt: string | null) {
  await transaction
    .updateTable('content_documents')
    .set({ archived_at: archivedAt })
    .where('id', '=', id)
    .execute()
}

/** Logs a change of content with the change itself. The log of the call adds who made it. */
export async function logContent(
  transaction: Transaction,
  { log }: { readonly log: AuditLog },
  message: `Content ${string}`,
  /** The version is null where none is concerned. */
  change: { readonly document: string; readonly path: string; readonly version: number | null },
  more: { readonly kind?: string; readonly liveFrom?: string; readonly askedBy?: string } = {},
): Promise<void> {
  await log.within(transaction, 'info', 'API', message, { ...change, ...more })
}
