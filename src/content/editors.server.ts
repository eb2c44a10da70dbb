import * as z from 'zod/mini'
import type { Database } from '../database/tables.ts'

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
