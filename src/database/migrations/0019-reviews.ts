import { type Kysely, sql } from 'kysely'

/** A second person approves what goes live: who has written in a draft, what waits for approval, and what came of it. */
export async function up(db: Kysely<never>): Promise<void> {
  await createEditors(db)
  await createReviews(db)
  await createFactProposals(db)
}

async function createEditors(db: Kysely<never>) {
  await db.schema
    .createTable('content_draft_editors')
    .addColumn('document_id', 'text', column => column.notNull().references('content_documents.id'))
    .addColumn('user_id', 'text', column => column.notNull())
    .addColumn('revision', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('content_draft_editors_key', ['document_id', 'user_id'])
    .execute()
  // Until now only the last one was stored.
  await sql`insert into content_draft_editors (document_id, user_id, revision)
    select document_id, edited_by_id, revision from content_drafts where edited_by_id is not null`.execute(db)
  await db.schema
    .alterTable('content_versions')
    .addColumn('editors', 'text', column => column.notNull().defaultTo('[]'))
    .execute()
}

async function createReviews(db: Kysely<never>) {
  await db.schema
    .createTable('content_reviews')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('document_id', 'text', column => column.notNull().references('content_documents.id'))
    .addColumn('version_id', 'text', column => column.notNull().references('content_versions.id'))
    .addColumn('revision', 'integer', column => column.notNull())
    .addColumn('asked_by_id', 'text', column => column.notNull())
    .addColumn('asked_by', 'text', column => column.notNull())
    .addColumn('note', 'text', column => column.notNull())
    .addColumn('live_from', 'text')
    .addColumn('asked_at', 'text', column => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('decided_by_id', 'text')
    .addColumn('decided_by', 'text')
    .addColumn('decision_note', 'text', column => column.notNull())
    .addColumn('decided_at', 'text')
    .execute()
  await db.schema
    .createIndex('content_reviews_by_document')
    .on('content_reviews')
    .columns(['document_id', 'id'])
    .execute()
  await db.schema
    .createIndex('content_reviews_by_version')
    .on('content_reviews')
    .column('version_id')
    .execute()
  await sql`create unique index content_reviews_open on content_reviews (document_id)
    where outcome is null`.execute(db)
}

async function createFactProposals({ schema }: Kysely<never>) {
  await schema
    .createTable('fact_proposals')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('fact_id', 'integer', column => column.notNull().references('facts.id'))
    .addColumn('name', 'text', column => column.notNull().unique())
    .addColumn('value', 'text', column => column.notNull())
    .addColumn('unit', 'text', column => column.notNull())
    .addColumn('as_at', 'text', column => column.notNull())
    .addColumn('source_title', 'text', column => column.notNull())
    .addColumn('source_url', 'text', column => column.notNull())
    .addColumn('review_by', 'text', column => column.notNull())
    .addColumn('ends_on', 'text')
    .addColumn('asked_by_id', 'text', column => column.notNull())
    .addColumn('asked_by', 'text', column => column.notNull())
    .addColumn('asked_at', 'text', column => column.notNull())
    .execute()
}
