import { type Kysely, sql } from 'kysely'

/**
 * Under a flood of enquiries whose senders could not be verified, staff get one letter an hour for many of them. A row
 * says that a message waits for such a letter, or which one tells of it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('gathered_notices')
    .addColumn('message_id', 'text', column =>
      column.primaryKey().references('messages.id').onDelete('cascade'),
    )
    .addColumn('letter_id', 'text', column => column.references('outbox.id').onDelete('cascade'))
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('gathered_notices_by_letter')
    .on('gathered_notices')
    .columns(['letter_id', 'created_at'])
    .execute()
  // Counted with every doubtful enquiry, so it must not cost more with a million others.
  await sql`create index messages_doubtful on messages (created_at) where verification not in ('verified', 'off')`.execute(
    db,
  )
}
