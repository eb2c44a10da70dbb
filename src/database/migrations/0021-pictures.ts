import type { Kysely } from 'kysely'

/** Pictures that staff upload, in all their sizes, and which drafts and versions name them. */
export async function up(db: Kysely<never>): Promise<void> {
  await createPictures(db)
  await createUses(db)
}

async function createPictures({ schema }: Kysely<never>) {
  await schema
    .createTable('pictures')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('width', 'integer', column => column.notNull())
    .addColumn('height', 'integer', column => column.notNull())
    .addColumn('bytes', 'integer', column => column.notNull())
    .addColumn('uploaded_by', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await schema.createIndex('pictures_by_time').on('pictures').columns(['created_at', 'id']).execute()
  await schema
    .createTable('picture_files')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('picture_id', 'text', column => column.notNull().references('pictures.id').onDelete('cascade'))
    .addColumn('body', 'text', column => column.notNull())
    .execute()
  await schema.createIndex('picture_files_by_picture').on('picture_files').column('picture_id').execute()
}

async function createUses({ schema }: Kysely<never>) {
  await schema
    .createTable('content_draft_pictures')
    .addColumn('document_id', 'text', column => column.notNull().references('content_documents.id'))
    .addColumn('picture_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('content_draft_pictures_key', ['document_id', 'picture_id'])
    .execute()
  await schema
    .createTable('content_version_pictures')
    .addColumn('version_id', 'text', column =>
      column.notNull().references('content_versions.id').onDelete('cascade'),
    )
    .addColumn('picture_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('content_version_pictures_key', ['version_id', 'picture_id'])
    .execute()
  for (const table of ['content_draft_pictures', 'content_version_pictures'])
    await schema.createIndex(`${table}_by_picture`).on(table).column('picture_id').execute()
}
