import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/**
 * By which office hours `due_at` was worked out. What was stored before has none and gets none: nobody promised anything
 * for it. The index finds the open messages whose hours have changed, which are few.
 */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
  await db.schema.alterTable('messages').addColumn('due_rule', 'text').execute()
  await sql`create index messages_by_due_rule on messages (due_rule, due_at)
    where due_rule is not null and status = 'open'`.execute(db)
}
