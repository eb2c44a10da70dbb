import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/** With the status, so that what somebody has still to do is found among any number of closed messages. */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
  await db.schema.dropIndex('messages_by_assignee').execute()
  await sql`create index messages_by_assignee on messages (assignee_id, status)
    where assignee_id is not null`.execute(db)
}
