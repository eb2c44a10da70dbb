import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/**
 * What nodes that share a database have counted against client addresses and accounts. PostgreSQL keeps it out of its
 * journal, so that nobody waits for a disk: after a crash of the database the counts begin anew. On SQLite, where one
 * process counts in its memory, it stays empty.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('rate_limits')
    .$call(table => (isPostgres(db) ? table.modifyFront(sql`unlogged`) : table))
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('used', 'integer', column => column.notNull())
    .addColumn('most', 'integer', column => column.notNull())
    .addColumn('ends_at', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('rate_limits_by_end').on('rate_limits').column('ends_at').execute()
}
