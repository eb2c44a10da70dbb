import type { Kysely } from 'kysely'

/** What a visitor answers beside the fields that every form has: JSON text, or null without any. */
export async function up(db: Kysely<never>): Promise<void> {
  // Without a default: a node of the previous version writes messages while this one starts.
  await db.schema.alterTable('messages').addColumn('details', 'text').execute()
}
