import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'

/** These messages and those that are merged into them, which are deleted together: staff see one conversation. */
export async function withMerged(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const merged = db.selectFrom('messages').select('id').where('merged_into', 'in', ids)
  const rows = await merged.where('merged_into', 'is not', null).execute()
  return [...new Set([...ids, ...rows.map(({ id }) => id)])]
}

/**
 * Call it before messages are deleted: the reply clocks of those that they are merged into are worked out again, within a
 * minute.
 */
export async function outdateDue(transaction: Database, ids: readonly string[]): Promise<void> {
  const rows = await transaction.selectFrom('messages').select('merged_into').where('id', 'in', ids).execute()
  const kept = rows.flatMap(({ merged_into }) => merged_into ?? [])
  if (kept.length === 0) return
  const due_rule = sql<string | null>`case when due_rule is null then null else '' end`
  await transaction.updateTable('messages').set({ due_at: null, due_rule }).where('id', 'in', kept).execute()
}
