import { sql } from 'kysely'
import { addColumns, type EarlierDatabase, run, withoutTimeout } from './define.ts'

/** A blob has an id of its own: to store one under its hash, once that is known, wrote all of its bytes a second time. */
export async function addBlobIds(db: EarlierDatabase): Promise<void> {
  await withoutTimeout(db)
  await run(
    db,
    sql`alter table attachments rename column sha256 to blob_id`,
    sql`alter table blob_chunks rename column sha256 to blob_id`,
    sql`alter table blobs rename column sha256 to id`,
  )
  await addColumns(db, 'blobs', [['text', 'sha256']])
  // An upload that was not complete had the id of its attachment in place of a hash.
  await run(
    db,
    sql`update blobs set sha256 = id where id not like '%-%'`,
    sql`create unique index blobs_by_hash on blobs (sha256)`,
  )
}
