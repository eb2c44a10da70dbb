import type { Kysely } from 'kysely'

/** Names of deleted users, for the history of what they did. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('former_users')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('deleted_at', 'text', column => column.notNull())
    .execute()
}
