import type { Database } from '../database/tables.ts'

/** These messages and those that are merged into them, which are deleted together: staff see one conversation. */
export async function withMerged(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const merged = db.selectFrom('messages').select('id').where('merged_into', 'in', ids)
  const rows = await merged.where('merged_into', 'is not', null).execute()
  return [...new Set([...ids, ...rows.map(({ id }) => id)])]
}
