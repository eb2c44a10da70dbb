import { type SqlBool, sql } from 'kysely'
import { type Clock, isoAfter } from '../../clock.ts'
import { currentSchema } from '../../content/bodies.ts'
import type { Author } from '../../content/documents.server.ts'
import { addEditors } from '../../content/editors.server.ts'
import type { ContentDraftRow, ContentKind } from '../../database/content-tables.ts'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { DEFAULT_LANGUAGE } from '../../i18n/texts.ts'
import { recordDraftPictures } from '../../pictures/named.server.ts'
import type { ContentDocument, DocumentQuery, DocumentState } from './contract.ts'

/** A document with what its state follows from. */
export type DocumentRow = Awaited<ReturnType<typeof findDocument>> & object

/** The site first, then by path. */
export async function listDocuments(db: Database, now: Date, query: DocumentQuery) {
  const { limit, cursor, q, kind } = query
  const rows = await selectDocuments(db, now)
    .$if(cursor !== undefined, select => select.where('document.path', '>', cursor ?? ''))
    .$if(kind !== undefined, select => select.where('document.kind', '=', kind ?? 'page'))
    .$if(Boolean(q), select => select.where(hasText(q ?? '')))
    .orderBy('document.path')
    // One more than requested shows whether there is a next page.
    .limit(limit + 1)
    .execute()
  const documents = rows.slice(0, limit).map(toDocument)
  return { documents, nextCursor: rows.length > limit ? (documents.at(-1)?.path ?? null) : null }
}

function hasText(q: string) {
  const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, mark => `\\${mark}`)}%`
  return sql<SqlBool>`lower(draft.title || ' ' || document.path) like ${pattern} escape '\\'`
}

export async function findDocument(db: Database, now: Date, id: string) {
  return await selectDocuments(db, now).where('document.id', '=', id).executeTakeFirst()
}

function selectDocuments(db: Database, now: Date) {
  const time = now.toISOString()
  return db
    .selectFrom('content_documents as document')
    .innerJoin('content_drafts as draft', 'draft.document_id', 'document.id')
    .where('document.archived_at', 'is', null)
    .where('document.language', '=', DEFAULT_LANGUAGE)
    .select([
      'document.id',
      'document.kind',
      'document.path',
      'document.language',
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
        .whereRef('document_id', '=', 'document.id')
        .where('cancelled_at', 'is', null)
        .where('live_from', '<=', time)
        .orderBy('live_from', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .as('live_version_id'),
      eb
        .selectFrom('content_publications')
        .select(({ fn }) => fn.min('live_from').as('live_from'))
        .whereRef('document_id', '=', 'document.id')
        .where('cancelled_at', 'is', null)
        .where('live_from', '>', time)
        .as('scheduled_for'),
    ])
}

export function toDocument(row: DocumentRow): ContentDocument {
  const { id, kind, path, title, language } = row
  const edited = { updatedAt: row.edited_at, editedBy: row.edited_by }
  return { id, kind, path, title, language, state: stateOf(row), ...edited }
}

export function stateOf(row: DocumentRow): DocumentState {
  if (row.scheduled_for !== null) return 'scheduled'
  if (row.live_version_id === null) return 'offline'
  return isChanged(row) || row.base_version_id !== row.live_version_id ? 'changed' : 'live'
}

/** Whether a draft differs from the version that it began as. */
export function isChanged({ revision, base_revision }: Pick<ContentDraftRow, 'revision' | 'base_revision'>) {
  return revision !== base_revision
}

export async function findDraft(db: Database, documentId: string): Promise<ContentDraftRow | undefined> {
  return await selectDraft(db, documentId).executeTakeFirst()
}

/** Reads a draft that nobody can change until the transaction ends. */
export async function lockDraft(
  transaction: Database,
  documentId: string,
): Promise<ContentDraftRow | undefined> {
  return await selectDraft(transaction, documentId)
    // SQLite has one writer, so its transaction needs no row lock.
    .$if(isPostgres(transaction), query => query.forUpdate())
    .executeTakeFirst()
}

function selectDraft(db: Database, documentId: string) {
  return db.selectFrom('content_drafts').selectAll().where('document_id', '=', documentId)
}

interface NewText {
  readonly kind: ContentKind
  readonly title: string
  readonly body: string
}

/** Replaces the draft at this revision, in a transaction. @returns whether it was still at it */
export async function updateDraft(
  transaction: Database,
  clock: Clock,
  documentId: string,
  revision: number,
  { kind, title, body }: NewText,
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
  await recordDraftPictures(transaction, documentId, body)
  return true
}

export async function setPath(transaction: Database, documentId: string, path: string): Promise<void> {
  await transaction.updateTable('content_documents').set({ path }).where('id', '=', documentId).execute()
}

export async function findArchived(db: Database, id: string) {
  return await db
    .selectFrom('content_documents')
    .select(['kind', 'path', 'archived_at'])
    .where('id', '=', id)
    .where('archived_at', 'is not', null)
    .executeTakeFirst()
}

/** @param archivedAt in ISO 8601; null brings the document back */
export async function setArchived(transaction: Database, id: string, archivedAt: string | null) {
  await transaction
    .updateTable('content_documents')
    .set({ archived_at: archivedAt })
    .where('id', '=', id)
    .execute()
}
