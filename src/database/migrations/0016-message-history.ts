import { type Kysely, sql } from 'kysely'

/** Gives a message several emails, by naming the kind of each, and a history. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('outbox')
    // The default is for a node of the previous version, which may still write notices while this one starts.
    .addColumn('kind', 'text', column => column.notNull().defaultTo('notice'))
    .execute()
  await sql`update outbox set kind = 'account' where message_id is null`.execute(db)
  await sql`update outbox set kind = 'digest' where id in (select email_id from digest_items)`.execute(db)
  await schema.dropIndex('outbox_by_state').execute()
  await schema.createIndex('outbox_by_state').on('outbox').columns(['state', 'kind']).execute()
  await schema
    .createTable('entries')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('message_id', 'text', column => column.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('seq', 'integer', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('author_id', 'text')
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .addUniqueConstraint('entries_in_order', ['message_id', 'seq'])
    .execute()
}
