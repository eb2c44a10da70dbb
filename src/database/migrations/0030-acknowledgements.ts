import { type Kysely, sql } from 'kysely'

/** Acknowledgements to visitors, and texts that staff insert into replies. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('acknowledgements')
    // No reference: for a day it is known who got one, whatever becomes of the message.
    .addColumn('message_id', 'text', column => column.primaryKey())
    .addColumn('recipient_hash', 'text')
    .addColumn('created_at', 'text', column => column.notNull())
    .addColumn('decided_at', 'text')
    .execute()
  await sql`create index acknowledgements_waiting on acknowledgements (created_at) where decided_at is null`.execute(
    db,
  )
  await schema
    .createIndex('acknowledgements_by_recipient')
    .on('acknowledgements')
    .columns(['recipient_hash', 'decided_at'])
    .execute()
  await schema
    .createTable('canned_replies')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('position', 'integer', column => column.notNull())
    .addColumn('uses', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('updated_at', 'text', column => column.notNull())
    .execute()
}
