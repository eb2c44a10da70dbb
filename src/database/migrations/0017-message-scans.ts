import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/**
 * Lists and searches now read messages in the order of their ids, so the indexes for filters and text go. What is left of
 * those for filters serves the figures of the dashboard.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const index of ['type', 'verification', 'all_filters', 'name'])
    await db.schema.dropIndex(`messages_by_${index}`).execute()
  await sql`create index messages_by_read_and_verification on messages (is_read, substr(verification, 1, 3))`.execute(
    db,
  )
  if (isPostgres(db)) {
    // Where the extension was not available, there was no index.
    await sql`drop index if exists messages_by_text`.execute(db)
    return
  }
  for (const change of ['insert', 'update', 'delete'])
    await sql`drop trigger ${sql.ref(`message_search_${change}`)}`.execute(db)
  await db.schema.dropTable('message_search').execute()
  await db.schema.dropTable('message_search_rows').execute()
}
