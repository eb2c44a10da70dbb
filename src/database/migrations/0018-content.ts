import { type Kysely, sql } from 'kysely'

/** What staff write for the public pages: documents, their drafts and versions, what was live when, and facts with dates. */
export async function up(db: Kysely<never>): Promise<void> {
  await createDocuments(db)
  await createVersions(db)
  await createPublications(db)
  await createFacts(db)
}

async function createDocuments(db: Kysely<never>) {
  await db.schema
    .createTable('content_documents')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('language', 'text', column => column.notNull())
    .addColumn('translation_of', 'text', column => column.references('content_documents.id'))
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('archived_at', 'text')
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await sql`create unique index content_documents_by_path on content_documents (language, path)
    where archived_at is null`.execute(db)
}

async function createVersions({ schema }: Kysely<never>) {
  await schema
    .createTable('content_versions')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('document_id', 'text', column => column.notNull().references('content_documents.id'))
    .addColumn('number', 'integer', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('schema', 'integer', column => column.notNull())
    .addColumn('author_id', 'text')
    .addColumn('author', 'text', column => column.notNull())
    .addColumn('note', 'text', column => column.notNull())
    .addColumn('findings', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .addUniqueConstraint('content_versions_by_number', ['document_id', 'number'])
    .execute()
  await schema.createIndex('content_versions_by_path').on('content_versions').column('path').execute()
  await schema
    .createTable('content_drafts')
    .addColumn('document_id', 'text', column => column.primaryKey().references('content_documents.id'))
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('schema', 'integer', column => column.notNull())
    .addColumn('revision', 'integer', column => column.notNull())
    .addColumn('base_version_id', 'text', column => column.references('content_versions.id'))
    .addColumn('base_revision', 'integer', column => column.notNull())
    .addColumn('edited_by_id', 'text')
    .addColumn('edited_by', 'text', column => column.notNull())
    .addColumn('edited_at', 'text', column => column.notNull())
    .execute()
}

async function createPublications({ schema }: Kysely<never>) {
  await schema
    .createTable('content_publications')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('document_id', 'text', column => column.notNull().references('content_documents.id'))
    .addColumn('version_id', 'text', column => column.references('content_versions.id'))
    .addColumn('live_from', 'text', column => column.notNull())
    .addColumn('cancelled_at', 'text')
    .addColumn('set_by', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await schema
    .createIndex('content_publications_by_document')
    .on('content_publications')
    .columns(['document_id', 'live_from', 'id'])
    .execute()
  await schema
    .createIndex('content_publications_by_time')
    .on('content_publications')
    .columns(['live_from'])
    .execute()
  await schema
    .createTable('content_redirects')
    .addColumn('language', 'text', column => column.notNull())
    .addColumn('from_path', 'text', column => column.notNull())
    .addColumn('document_id', 'text', column => column.notNull().references('content_documents.id'))
    .addColumn('created_at', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('content_redirects_key', ['language', 'from_path'])
    .execute()
}

async function createFacts({ schema }: Kysely<never>) {
  await schema
    .createTable('facts')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('value', 'text', column => column.notNull())
    .addColumn('unit', 'text', column => column.notNull())
    .addColumn('as_at', 'text', column => column.notNull())
    .addColumn('source_title', 'text', column => column.notNull())
    .addColumn('source_url', 'text', column => column.notNull())
    .addColumn('review_by', 'text', column => column.notNull())
    .addColumn('ends_on', 'text')
    .addColumn('checked_by', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await schema.createIndex('facts_by_name').on('facts').columns(['name', 'id']).execute()
}
