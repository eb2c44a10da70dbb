import { type Kysely, sql } from 'kysely'

/**
 * Says what each email is, so that a message can have several. The default is for a node of the previous version, which
 * may still write notices while this one starts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('outbox')
    .addColumn('kind', 'text', column => column.notNull().defaultTo('notice'))
    .execute()
  await sql`update outbox set kind = 'account' where message_id is null`.execute(db)
  await sql`update outbox set kind = 'digest' where id in (select email_id from digest_items)`.execute(db)
  await schema.dropIndex('outbox_by_state').execute()
  await schema.createIndex('outbox_by_state').on('outbox').columns(['state', 'kind']).execute()
}
