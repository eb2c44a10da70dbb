import type { Kysely } from 'kysely'

/** What was deleted or erased, as keyed hashes: a backup from before still holds it, and a restore leaves it out. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('erased')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('key_id', 'text', column => column.notNull())
    .addColumn('erased_at', 'text', column => column.notNull())
    .execute()
}
