import type { Kysely } from 'kysely'

/**
 * The lines of the log as admins read them. An id begins with its time, so each index ends in it: every filter finds
 * its page where the one before ended, and what is old stands at the beginning.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('logs')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('level', 'text', column => column.notNull())
    .addColumn('source', 'text', column => column.notNull())
    .addColumn('message', 'text', column => column.notNull())
    .addColumn('details', 'text', column => column.notNull())
    .addColumn('ip_address', 'text')
    .addColumn('user_id', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('logs_by_level').on('logs').columns(['level', 'id']).execute()
  await db.schema.createIndex('logs_by_source').on('logs').columns(['source', 'id']).execute()
  await db.schema.createIndex('logs_by_both').on('logs').columns(['level', 'source', 'id']).execute()
  // Since when the oldest letter waits is asked every few seconds by whoever watches over the installation.
  await db.schema.createIndex('outbox_by_age').on('outbox').columns(['state', 'created_at']).execute()
}
