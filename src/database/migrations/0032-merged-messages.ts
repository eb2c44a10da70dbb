import { type Kysely, sql } from 'kysely'

/** The message whose conversation another one is shown in. No foreign key: a copy writes rows in the order of their ids. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('messages').addColumn('merged_into', 'text').execute()
  await sql`create index messages_merged on messages (merged_into) where merged_into is not null`.execute(db)
}
