import type { Kysely } from 'kysely'

/** Visitors' enquiries, and the answers that a repeated request gets again. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('messages')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('reference', 'text', column => column.notNull().unique())
    .addColumn('form_type', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('email', 'text', column => column.notNull())
    .addColumn('phone', 'text')
    .addColumn('service', 'text')
    .addColumn('message', 'text', column => column.notNull())
    .addColumn('is_read', 'integer', column => column.notNull())
    .addColumn('verification', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('messages_by_type').on('messages').columns(['form_type', 'id']).execute()
  await db.schema.createIndex('messages_by_read').on('messages').columns(['is_read', 'id']).execute()
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('request_hash', 'text', column => column.notNull())
    .addColumn('reply', 'text', column => column.notNull())
    .addColumn('expires_at', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('idempotency_keys_by_expiry')
    .on('idempotency_keys')
    .column('expires_at')
    .execute()
}
