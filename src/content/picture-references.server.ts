import type { Database } from '../database/tables.ts'
import { findPictureIds } from './bodies.ts'
import { PICTURE_ID } from './picture-use.ts'

/** Which drafts and versions name which pictures, written with each of them, in SQL. */

/** Call it in the transaction that writes the draft. @param pictures the ids of those that it names */
export async function recordDraftPictures(
  transaction: Database,
  documentId: string,
  pictures: readonly string[],
) {
  await transaction.deleteFrom('content_draft_pictures').where('document_id', '=', documentId).execute()
  const rows = pictures.map(picture_id => ({ document_id: documentId, picture_id }))
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
export async function findMissing(
  transaction: Database,
  named: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  if (named.size === 0) return []
  const query = transaction
    .selectFrom('pictures')
    .select('id')
    .where('id', 'in', [...new Set(named.values())])
  const known = new Set((await query.execute()).map(({ id }) => id))
  return [...named].filter(([, id]) => !known.has(id)).map(([path]) => path)
}
