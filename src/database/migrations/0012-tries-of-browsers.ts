import type { Kysely } from 'kysely'

/**
 * Wrong passwords that came from a browser which the account knows, counted apart from those of strangers, and when the
 * last one came: after a day without any, the count is forgotten.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('browser_tries')
    .addColumn('user_id', 'text', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', column => column.notNull())
    .addColumn('failed_sign_ins', 'integer', column => column.notNull())
    .addColumn('locked_until', 'text')
    .addColumn('last_failed_at', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('browser_tries_key', ['user_id', 'token_hash'])
    .execute()
  await db.schema.alterTable('users').addColumn('last_failed_at', 'text').execute()
}
