import type { Kysely } from 'kysely'

/** What admins change in the portal; a key without a row has its default. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('value', 'text', column => column.notNull())
    .addColumn('updated_at', 'text', column => column.notNull())
    .execute()
}
