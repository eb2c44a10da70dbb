import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { ContentKind } from '../database/content-tables.ts'
import { newId } from '../database/id.ts'
import type { Database } from '../database/tables.ts'
import { DEFAULT_LANGUAGE } from '../i18n/texts.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import { findPictureIds, type StoredBody } from './bodies.ts'
import { PICTURE_ID } from './picture-use.ts'

/** The site document belongs to no page, and is listed first. */
export const SITE_PATH = '/'

/** Who writes: a member of staff, or the product itself. */
export interface Author {
  readonly id: string | null
  readonly name: string
}

/** Documents; each is in memory while it is live. Twice the pages of the largest agency that we know of. */
export const MAX_DOCUMENTS = 2000

interface NewDocument extends StoredBody {
  readonly kind: ContentKind
  readonly path: string
  readonly title: string
}

/** Adds a document that has a draft and no version. @returns its id */
export async function insertDocument(
  transaction: Database,
  clock: Clock,
  { kind, path, title, body, schema }: NewDocument,
  author: Author,
): Promise<string> {
  const id = newId(clock())
  const now = isoAfter(clock)
  const document = { id, kind, path, language: DEFAULT_LANGUAGE, created_at: now }
  await transaction.insertInto('content_documents').values(document).execute()
  const base = { base_version_id: null, base_revision: 0 }
  const edited = { edited_by_id: author.id, edited_by: author.name, edited_at: now }
  const draft = { document_id: id, title, body, schema, revision: 1, ...base, ...edited }
  await transaction.insertInto('content_drafts').values(draft).execute()
  await addEditors(transaction, id, [author.id], 1)
  await recordDraftPictures(transaction, id, listPictures(JSON.parse(body)))
  return id
}

interface NewVersion extends StoredBody {
  readonly documentId: string
  readonly path: string
  readonly note: string
  /** JSON. */
  readonly findings: string
  /** The ids of everybody whose words may be in it and were not approved before. */
  readonly editors: readonly string[]
}

export type AddedVersion = Awaited<ReturnType<typeof insertVersion>>

/** Call it with the `content` lock. */
export async function insertVersion(
  transaction: Database,
  clock: Clock,
  { documentId, editors, ...version }: NewVersion,
  author: Author,
) {
  const added = {
    id: newId(clock()),
    number: await nextNumber(transaction, documentId),
    createdAt: isoAfter(clock),
  }
  await transaction
    .insertInto('content_versions')
    .values({
      ...version,
      id: added.id,
      number: added.number,
      document_id: documentId,
      editors: JSON.stringify(editors),
      author_id: author.id,
      author: author.name,
      created_at: added.createdAt,
    })
    .execute()
  await recordVersionPictures(transaction, added.id, version.body)
  return added
}

/** One that no version had. A node of an older version, which may run during an upgrade, adds versions without counting. */
async function nextNumber(transaction: Database, documentId: string): Promise<number> {
  const query = transaction.selectFrom('content_versions').select(eb => eb.fn.max('number').as('last'))
  const { last } = await query.where('document_id', '=', documentId).executeTakeFirstOrThrow()
  const stored = last ?? 0
  const { last_version: number } = await transaction
    .updateTable('content_documents')
    .set({
      last_version: sql<number>`case when last_version > ${stored} then last_version else ${stored} end + 1`,
    })
    .where('id', '=', documentId)
    .returning('last_version')
    .executeTakeFirstOrThrow()
  return number
}

/**
 * Makes a version live from a time on; null takes the document offline. Call it with the `content` lock.
 * @param liveFrom in ISO 8601
 */
export async function insertPublication(
  transaction: Database,
  clock: Clock,
  documentId: string,
  versionId: string | null,
  liveFrom: string,
  author: Author,
): Promise<void> {
  const query = transaction.selectFrom('content_publications').select(eb => eb.fn.max('id').as('last'))
  const { last } = await query.executeTakeFirstOrThrow()
  await transaction
    .insertInto('content_publications')
    .values({
      id: (last ?? 0) + 1,
      document_id: documentId,
      version_id: versionId,
      live_from: liveFrom,
      set_by: author.name,
      created_at: isoAfter(clock),
    })
    .execute()
}

/** Records that the draft is what was published as a version. */
export async function setDraftBase(transaction: Database, id: string, versionId: string, revision: number) {
  await transaction
    .updateTable('content_drafts')
    .set({ base_version_id: versionId, base_revision: revision })
    .where('document_id', '=', id)
    .execute()
}

/** Everybody whose words may be in a draft and were not approved: none of them can be the second person. */

const UserIds = z.array(z.string())

/** @param editors JSON, as a version has it */
export function parseEditors(editors: string): readonly string[] {
  return UserIds.parse(JSON.parse(editors))
}

/** Records who has written in a draft. The product itself, which has no id, is nobody. @param revision after the change */
export async function addEditors(
  transaction: Database,
  documentId: string,
  userIds: readonly (string | null)[],
  revision: number,
): Promise<void> {
  const ids = new Set(userIds.filter(id => id !== null))
  if (ids.size === 0) return
  await transaction
    .insertInto('content_draft_editors')
    .values([...ids].map(id => ({ document_id: documentId, user_id: id, revision })))
    .onConflict(conflict => conflict.columns(['document_id', 'user_id']).doUpdateSet({ revision }))
    .execute()
}

export async function listEditors(db: Database, documentId: string): Promise<readonly string[]> {
  const query = db.selectFrom('content_draft_editors').select('user_id')
  const rows = await query.where('document_id', '=', documentId).orderBy('user_id').execute()
  return rows.map(row => row.user_id)
}

/**
 * Forgets who wrote what is live now.
 * @param revision of the draft that went live: later changes still count
 * @param userIds only these; everybody, if it is left out
 */
export async function deleteEditors(
  transaction: Database,
  documentId: string,
  revision: number,
  userIds: readonly string[] | null = null,
): Promise<void> {
  if (userIds?.length === 0) return
  await transaction
    .deleteFrom('content_draft_editors')
    .where('document_id', '=', documentId)
    .where('revision', '<=', revision)
    .$if(userIds !== null, query => query.where('user_id', 'in', userIds ?? []))
    .execute()
}

/** Forgets who made the draft what it is at this revision, if they have not written in it since. */
export async function deleteEditorAt(transaction: Database, documentId: string, revision: number) {
  await transaction
    .deleteFrom('content_draft_editors')
    .where('document_id', '=', documentId)
    .where('revision', '=', revision)
    .execute()
}

/** Which drafts and versions name which pictures, written with each of them, in SQL. */

/** Call it in the transaction that writes the draft. @param pictures the ids of those that it names */
export async function recordDraftPictures(transaction: Database, id: string, pictures: readonly string[]) {
  await transaction.deleteFrom('content_draft_pictures').where('document_id', '=', id).execute()
  const rows = pictures.map(picture_id => ({ document_id: id, picture_id }))
  if (rows.length > 0) await transaction.insertInto('content_draft_pictures').values(rows).execute()
}

/** Call it in the transaction that adds the version. @param body in JSON */
export async function recordVersionPictures(transaction: Database, versionId: string, body: string) {
  const rows = listPictures(JSON.parse(body)).map(picture_id => ({ version_id: versionId, picture_id }))
  if (rows.length > 0) await transaction.insertInto('content_version_pictures').values(rows).execute()
}

/** Their ids: fewer than SQLite allows parameters, since a body has at most 1 MB. */
export function listPictures(body: unknown): string[] {
  const ids = new Set(findPictureIds(body).values())
  return [...ids].filter(id => PICTURE_ID.test(id))
}

/** Call it with the `content` lock, so that none is deleted meanwhile. @returns the paths of pictures that do not exist */
export async function findMissing(transaction: Database, named: ReadonlyMap<string, string>) {
  if (named.size === 0) return []
  const query = transaction
    .selectFrom('pictures')
    .select('id')
    .where('id', 'in', [...new Set(named.values())])
  const known = new Set((await query.execute()).map(({ id }) => id))
  return [...named].filter(([, id]) => !known.has(id)).map(([path]) => path)
}
