import type { Kysely } from 'kysely'

/** Staff accounts and everything that signs them in. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('email', 'text', column => column.notNull().unique())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('password_hash', 'text', column => column.notNull())
    .addColumn('is_default', 'integer', column => column.notNull())
    .addColumn('email_verified', 'integer', column => column.notNull())
    .addColumn('failed_sign_ins', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('locked_until', 'text')
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('token_hash', 'text', column => column.notNull().unique())
    .addColumn('user_id', 'text', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('user_agent', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .addColumn('last_seen_at', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute()
  await db.schema
    .createTable('pending_sign_ins')
    .addColumn('token_hash', 'text', column => column.primaryKey())
    .addColumn('user_id', 'text', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', column => column.notNull())
    .addColumn('code_expires_at', 'text', column => column.notNull())
    .addColumn('code_sent_at', 'text', column => column.notNull())
    .addColumn('failures', 'integer', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('pending_sign_ins_by_user').on('pending_sign_ins').column('user_id').execute()
  await db.schema
    .createTable('trusted_devices')
    .addColumn('token_hash', 'text', column => column.primaryKey())
    .addColumn('user_id', 'text', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('expires_at', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('trusted_devices_by_user').on('trusted_devices').column('user_id').execute()
  await db.schema
    .createTable('console_codes')
    .addColumn('user_id', 'text', column => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', column => column.notNull())
    .addColumn('expires_at', 'text', column => column.notNull())
    .execute()
}
