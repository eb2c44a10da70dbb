import { findPictureIds } from '../content/bodies.ts'
import type { Database } from '../database/tables.ts'

/** Which drafts and versions name which pictures, written with each of them, in SQL. */

/** Call it in the transaction that writes the draft. @param body in JSON */
export async function recordDraftPictures(transaction: Database, documentId: string, body: string) {
  await transaction.deleteFrom('content_draft_pictures').where('document_id', '=', documentId).execute()
  const rows = idsIn(body).map(picture_id => ({ document_id: documentId, picture_id }))
  if (rows.length > 0) await transaction.insertInto('content_draft_pictures').values(rows).execute()
}

/** Call it in the transaction that adds the version. @param body in JSON */
export async function recordVersionPictures(transaction: Database, versionId: string, body: string) {
  const rows = idsIn(body).map(picture_id => ({ version_id: versionId, picture_id }))
  if (rows.length > 0) await transaction.insertInto('content_version_pictures').values(rows).execute()
}

/** Fewer than SQLite allows parameters, since a body has at most 1 MB. */
function idsIn(body: string): string[] {
  const ids = new Set(findPictureIds(JSON.parse(body)).values())
  return [...ids].filter(id => /^[0-9a-f]{64}$/.test(id))
}

/** Call it with the lock of `lockContent`, so that none is deleted meanwhile. @returns the paths of pictures that do not exist */
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
