import type { Kysely } from 'kysely'

/** As many as fit beside each other, so that no two addresses are likely to wait for one another. */
const DECOYS = 256

/** Rows that a refused login writes to when it may not write to an account, or there is none. */
export async function up(db: Kysely<{ decoys: { id: number; tries: number } }>): Promise<void> {
  await db.schema
    .createTable('decoys')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('tries', 'integer', column => column.notNull())
    .execute()
  const rows = Array.from({ length: DECOYS }, (_, id) => ({ id, tries: 0 }))
  await db.insertInto('decoys').values(rows).execute()
}
