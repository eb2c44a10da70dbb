import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/**
 * A picture gets a random id. Until now its address was the hash of the upload, so that whoever had the file could ask
 * whether it was here. The hash stays, so that the same file is the same picture, and old addresses lead to the new ones.
 */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
  await db.schema
    .createTable('picture_hashes')
    .addColumn('sha256', 'text', column => column.primaryKey())
    .addColumn('picture_id', 'text', column => column.notNull().unique())
    .addColumn('was_address', 'integer', column => column.notNull())
    .execute()
  // Also of pictures that were deleted: a version of the past shows one again after the same file has been uploaded.
  const { rows } = await sql<{ sha256: string }>`select id as sha256 from pictures
    union select picture_id from content_draft_pictures union select picture_id from content_version_pictures`.execute(
    db,
  )
  for (const { sha256 } of rows) await rename(db, sha256, randomBytes(16).toString('hex'))
}

/** The row of the picture is copied first and deleted last, because its files refer to it. */
async function rename(db: Kysely<never>, sha256: string, id: string) {
  await sql`insert into picture_hashes (sha256, picture_id, was_address) values (${sha256}, ${id}, 1)`.execute(
    db,
  )
  await sql`insert into pictures (id, width, height, bytes, uploaded_by, created_at)
    select cast(${id} as text), width, height, bytes, uploaded_by, created_at from pictures where id = ${sha256}`.execute(
    db,
  )
  await sql`update picture_files set picture_id = ${id}, name = replace(name, cast(${sha256} as text), cast(${id} as text))
    where picture_id = ${sha256}`.execute(db)
  await sql`delete from pictures where id = ${sha256}`.execute(db)
  const before = `"${sha256}"`
  const after = `"${id}"`
  await sql`update content_drafts set body = replace(body, cast(${before} as text), cast(${after} as text))
    where document_id in (select document_id from content_draft_pictures where picture_id = ${sha256})`.execute(
    db,
  )
  await sql`update content_versions set body = replace(body, cast(${before} as text), cast(${after} as text))
    where id in (select version_id from content_version_pictures where picture_id = ${sha256})`.execute(db)
  await sql`update content_draft_pictures set picture_id = ${id} where picture_id = ${sha256}`.execute(db)
  await sql`update content_version_pictures set picture_id = ${id} where picture_id = ${sha256}`.execute(db)
}
