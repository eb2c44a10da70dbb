import type { Kysely } from 'kysely'

/** What open screens learn of what others do: which messages have changed, and who is looking at one. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('changes')
    .addColumn('id', 'integer', column => column.primaryKey())
    // Not a reference: the change may be that the message was deleted.
    .addColumn('message_id', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await schema.createIndex('changes_by_time').on('changes').column('created_at').execute()
  await schema
    .createTable('presence')
    .addColumn('message_id', 'text', column => column.notNull())
    .addColumn('user_id', 'text', column => column.notNull())
    .addColumn('expires_at', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('presence_key', ['message_id', 'user_id'])
    .execute()
  await schema.createIndex('presence_by_expiry').on('presence').column('expires_at').execute()
}
