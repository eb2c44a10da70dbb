import type { Database } from '../database/tables.ts'

/** References of one statement; both engines take far more. */
const AT_ONCE = 500

/** Where the conversation of one message says that another was merged into it, or taken out of it again. @param from the id of the first @returns their ids */
export async function findMergeEvents(
  db: Database,
  references: readonly string[],
  from = '',
): Promise<string[]> {
  const found: string[] = []
  for (let start = 0; start < references.length; start += AT_ONCE) {
    const events = db.selectFrom('entries').select('id').where('kind', '=', 'event')
    const rows = await events
      .where('body', 'in', ['merged', 'unmerged'])
      .where('id', '>=', from)
      .where('detail', 'in', references.slice(start, start + AT_ONCE))
      .execute()
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

export async function deleteMergeEvents(transaction: Database, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE)
    await transaction
      .deleteFrom('entries')
      .where('id', 'in', ids.slice(start, start + AT_ONCE))
      .execute()
}
