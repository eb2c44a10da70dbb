import { sql } from 'kysely'
import { addColumns, type EarlierDatabase, run, withoutTimeout } from './define.ts'

/**
 * A blob keeps the key under which it was uploaded, and gets its hash beside it: to move it under its hash wrote all of its bytes a
 * second time. No column is renamed, because nodes of an earlier version go on for a while.
 */
export async function addBlobHashes(db: EarlierDatabase): Promise<void> {
  await withoutTimeout(db)
  await addColumns(db, 'blobs', [['text', 'hash']])
  // An upload that was not complete had the id of its attachment in place of a hash.
  await run(
    db,
    sql`update blobs set hash = sha256 where sha256 not like '%-%'`,
    sql`create unique index blobs_by_hash on blobs (hash)`,
  )
}
