import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/**
 * How long the first reply of a message took is stored with it, and each figure of the dashboard has an index that holds
 * nothing else, so that it is counted without reading a message.
 */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
  const messages = () => db.schema.alterTable('messages')
  await messages().addColumn('first_reply_week', 'text').execute()
  await messages().addColumn('first_reply_minutes', 'integer').execute()
  // With the columns of the condition, or SQLite reads each row for them.
  await sql`create index messages_by_first_reply on messages (first_reply_week, first_reply_minutes, status)
    where first_reply_week is not null and status <> 'spam'`.execute(db)
  await sql`create index messages_open on messages (created_at, status) where status = 'open'`.execute(db)
  await sql`create index messages_due on messages (due_at, snoozed_until, status)
    where due_at is not null and status = 'open'`.execute(db)
  await sql`create index entries_of_answers on entries (created_at, author_id, message_id, id, kind)
    where kind in ('reply', 'call')`.execute(db)
}
