import { type Kysely, sql } from 'kysely'

/** The entries of one user in the order of the log, and unread messages in the order of their list. Both hold few of the rows. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index messages_unread on messages (id) where is_read = 0 and status <> 'spam'`.execute(db)
  await sql`create index logs_by_user on logs (user_id, id) where user_id is not null`.execute(db)
}
