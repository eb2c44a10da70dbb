import { type Clock, days, isoAfter } from '../../clock.ts'
import type { Database } from '../../database/tables.ts'
import { inPages } from '../../erasure/in-pages.ts'

/** Rows that one statement reads, so that on SQLite nobody waits for it. */
const AT_ONCE = 1000

interface Naming {
  readonly id: string
  /** Ids of users, among other texts. */
  readonly names: readonly (string | null)[]
}

/**
 * Deletes the names of deleted users to which no entry, note or log entry refers any more. Those of the last day stay: what
 * they did may still be on its way into the log.
 */
export async function deleteUnusedNames(db: Database, clock: Clock): Promise<void> {
  const former = await db
    .selectFrom('former_users')
    .select('id')
    .where('deleted_at', '<', isoAfter(clock, -days(1)))
    .execute()
  const unused = new Set(former.map(({ id }) => id))
  for (const read of [readEntries, readNotes, readLogs])
    if (unused.size > 0) await removeNamed(unused, after => read(db, after))
  if (unused.size > 0)
    await db
      .deleteFrom('former_users')
      .where('id', 'in', [...unused])
      .execute()
}

/** Ends as soon as each is found. */
async function removeNamed(unused: Set<string>, read: (after: string) => Promise<Naming[]>) {
  for await (const rows of inPages(read, row => row.id)) {
    for (const { names } of rows) for (const name of names) if (name !== null) unused.delete(name)
    if (unused.size === 0) return
    await new Promise(resolve => setImmediate(resolve))
  }
}

async function readEntries(db: Database, after: string): Promise<Naming[]> {
  const entries = db.selectFrom('entries').select(['id', 'author_id', 'detail'])
  const rows = await entries.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()
  return rows.map(({ id, author_id, detail }) => ({ id, names: [author_id, detail] }))
}

async function readNotes(db: Database, after: string): Promise<Naming[]> {
  const notes = db.selectFrom('notes').select(['id', 'author_id'])
  const rows = await notes.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()
  return rows.map(({ id, author_id }) => ({ id, names: [author_id] }))
}

async function readLogs(db: Database, after: string): Promise<Naming[]> {
  const logs = db.selectFrom('logs').select(['id', 'user_id'])
  const rows = await logs.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()
  return rows.map(({ id, user_id }) => ({ id, names: [user_id] }))
}
