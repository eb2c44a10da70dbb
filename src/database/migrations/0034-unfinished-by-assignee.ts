import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/** With the status, so that what somebody has still to do is found among any number of closed messages. */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
  await db.schema.dropIndex('messages_by_assignee').execute()
  await sql`create index messages_by_assignee on messages (assignee_id, status)
    where assignee_id is not null`.execute(db)
  // What is merged into a message counts for its reply clock now: within a minute, all of these are worked out again.
  await sql`update messages set due_rule = '' where due_rule is not null and status = 'open'
    and id in (select merged_into from messages where merged_into is not null)`.execute(db)
}
