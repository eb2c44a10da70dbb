import type { Kysely } from 'kysely'

/** Links with which a person sets a password: after an invitation, or because they forgot theirs. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('password_links')
    .addColumn('token_hash', 'text', column => column.primaryKey())
    .addColumn('user_id', 'text', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('purpose', 'text', column => column.notNull())
    .addColumn('email', 'text', column => column.notNull())
    .addColumn('password_fingerprint', 'text', column => column.notNull())
    .addColumn('expires_at', 'text', column => column.notNull())
    .execute()
  await schema.createIndex('password_links_by_user').on('password_links').column('user_id').execute()
  await schema
    .createTable('password_requests')
    .addColumn('email', 'text', column => column.primaryKey())
    .addColumn('requested_at', 'text', column => column.notNull())
    .execute()
}
