import type { Kysely } from 'kysely'

/**
 * Links that prove an address, browsers that an account is known to use, and what has to be remembered of wrong codes
 * and locked accounts so that their owners can be told.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('email_verifications')
    .addColumn('token_hash', 'text', column => column.primaryKey())
    .addColumn('user_id', 'text', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('email', 'text', column => column.notNull())
    .addColumn('expires_at', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('email_verifications_by_user')
    .on('email_verifications')
    .column('user_id')
    .execute()
  await db.schema
    .createTable('known_browsers')
    .addColumn('user_id', 'text', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', column => column.notNull())
    .addColumn('seen_at', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('known_browsers_key', ['user_id', 'token_hash'])
    .execute()
  await db.schema.createIndex('known_browsers_by_token').on('known_browsers').column('token_hash').execute()
  await db.schema
    .alterTable('users')
    .addColumn('wrong_codes', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('users').addColumn('lock_letter_due_at', 'text').execute()
}
