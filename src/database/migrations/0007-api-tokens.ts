import type { Kysely } from 'kysely'

/** Tokens with which programs call in the name of a user. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('api_tokens')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('token_hash', 'text', column => column.notNull().unique())
    .addColumn('user_id', 'text', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('description', 'text', column => column.notNull())
    .addColumn('token_type', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .addColumn('expires_at', 'text', column => column.notNull())
    .addColumn('last_used_at', 'text')
    .execute()
  await db.schema.createIndex('api_tokens_by_user').on('api_tokens').columns(['user_id', 'id']).execute()
}
