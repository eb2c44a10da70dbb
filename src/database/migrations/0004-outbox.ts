import type { Kysely } from 'kysely'

/** Letters that are to be sent, written in the transaction that they tell of. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('outbox')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('message_id', 'text', column => column.references('messages.id').onDelete('cascade'))
    .addColumn('letter', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('due_at', 'text', column => column.notNull())
    .addColumn('leased_until', 'text')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', column => column.notNull())
    .addColumn('sent_at', 'text')
    .execute()
  await db.schema.createIndex('outbox_by_due').on('outbox').columns(['state', 'due_at']).execute()
  await db.schema.createIndex('outbox_by_message').on('outbox').column('message_id').execute()
}
