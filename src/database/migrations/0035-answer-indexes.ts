import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/** What does not count as an answer is found without reading a message or an email: the indexes hold what is asked for. */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
  await db.schema.dropIndex('messages_of_spam').execute()
  // With the columns of the condition, or SQLite reads each row for them.
  await sql`create index messages_of_spam on messages (status_since, id, status) where status = 'spam'`.execute(
    db,
  )
  await sql`create index outbox_of_failed_replies on outbox (id, state, kind)
    where state = 'failed' and kind = 'reply'`.execute(db)
}
