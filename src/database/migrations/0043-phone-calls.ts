import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/**
 * A phone call says who called, what came of it and how long it took. One from before says nothing, and counts as an answer
 * as it did then. The index of answers has no call that reached nobody.
 */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
  for (const [column, type] of [
    ['call_direction', 'text'],
    ['call_outcome', 'text'],
    ['call_minutes', 'integer'],
  ] as const)
    await db.schema.alterTable('entries').addColumn(column, type).execute()
  await db.schema.dropIndex('entries_of_answers').execute()
  // With the columns of the condition, or SQLite reads each row for them.
  await sql`create index entries_of_answers on entries (created_at, author_id, message_id, id, kind, call_outcome)
    where kind in ('reply', 'call') and (call_outcome is null or call_outcome = 'reached')`.execute(db)
}
