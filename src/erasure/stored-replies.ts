import type { Selectable } from 'kysely'
import type { Database, Tables } from '../database/tables.ts'
import { AT_ONCE, inPages } from './in-pages.ts'

type StoredReply = Selectable<Tables['idempotency_keys']>

const REFERENCE = /"(LF-[^"]+)"/g

/** The stored replies to repeated requests that name one of these references, page by page. */
export async function* findStoredReplies(
  db: Database,
  references: ReadonlySet<string>,
): AsyncGenerator<StoredReply[]> {
  if (references.size === 0) return
  const all = db.selectFrom('idempotency_keys').selectAll()
  const read = (after: string) => all.where('key', '>', after).orderBy('key').limit(AT_ONCE).execute()
  for await (const rows of inPages(read, row => row.key)) {
    const named = rows.filter(({ reply }) =>
      [...reply.matchAll(REFERENCE)].some(([, reference = '']) => references.has(reference)),
    )
    if (named.length > 0) yield named
  }
}

/** @returns their keys */
export async function findReplyKeys(db: Database, references: ReadonlySet<string>): Promise<string[]> {
  const keys: string[] = []
  for await (const replies of findStoredReplies(db, references)) keys.push(...replies.map(({ key }) => key))
  return keys
}

/** @returns how many there still were */
export async function deleteStoredReplies(db: Database, keys: readonly string[]): Promise<number> {
  let count = 0
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const some = keys.slice(start, start + AT_ONCE)
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_keys')
      .where('key', 'in', some)
      .executeTakeFirst()
    count += Number(numDeletedRows)
  }
  return count
}
