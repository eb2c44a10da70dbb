import { firstIdAt } from '../database/id.ts'
import type { Database } from '../database/tables.ts'
import type { NamedKey } from '../keys.ts'
import { hashErased, ID, MAX_DELAY } from './erased-list.ts'
import { AT_ONCE, inPages } from './in-pages.ts'

/**
 * The ids of messages that the last erasure of an address deleted, as far as the log has named them since: if it failed after
 * that, it has not searched for them. Only the list still knows these messages, by the moment that it has of the address.
 */
export async function findUnfinished(
  db: Database,
  keys: readonly NamedKey[],
  email: string,
): Promise<string[]> {
  const found = new Set<string>()
  const list = db.selectFrom('erased').select(['hash', 'erased_at'])
  for (const key of keys) {
    const address = await list.where('hash', '=', hashErased(key, 'address', email)).executeTakeFirst()
    if (!address) continue
    const deleted = list.where('kind', '=', 'message').where('erased_at', '=', address.erased_at)
    const hashes = new Set((await deleted.execute()).map(({ hash }) => hash))
    const from = firstIdAt(new Date(Date.parse(address.erased_at) - MAX_DELAY))
    const logs = db.selectFrom('logs').select(['id', 'message', 'details']).orderBy('id').limit(AT_ONCE)
    const read = (after: string) => logs.where('id', '>', after || from).execute()
    for await (const rows of inPages(read, row => row.id))
      for (const id of rows.flatMap(({ message, details }) => `${message} ${details}`.match(ID) ?? []))
        if (hashes.has(hashErased(key, 'message', id))) found.add(id)
  }
  return [...found]
}
