import { type Kysely, sql } from 'kysely'

/** A document counts its versions, so that the number of one that was deleted is never used again. Lists name editors. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('content_documents')
    .addColumn('last_version', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await sql`update content_documents set last_version = coalesce(
    (select max(number) from content_versions where document_id = content_documents.id), 0)`.execute(db)
  // Without it, a list of names reads every page of the bodies before them.
  await db.schema.createIndex('content_drafts_by_editor').on('content_drafts').column('edited_by').execute()
}
