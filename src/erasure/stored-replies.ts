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

/** @returns how many */
export async function deleteStoredReplies(db: Database, references: ReadonlySet<string>): Promise<number> {
  let count = 0
  for await (const replies of findStoredReplies(db, references)) {
    count += replies.length
    const keys = replies.map(({ key }) => key)
    await db.deleteFrom('idempotency_keys').where('key', 'in', keys).execute()
  }
  return count
}
