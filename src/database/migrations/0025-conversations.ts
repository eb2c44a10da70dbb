import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/** A message becomes a conversation: what is read was dealt with, so it is closed, and the rest is open. */
export async function up(db: Kysely<never>): Promise<void> {
  // A statement may take five seconds, and an index over a million messages takes longer.
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
  await addColumns(db)
  await sql`update messages set status = 'closed' where is_read = 1`.execute(db)
  await createIndexes(db)
  await createNotes(db)
  await createDrafts(db)
  await createTags(db)
  await createMailIds(db)
}

/** One by one, which is all that SQLite takes. The defaults are for a node of the previous version, too. */
async function addColumns({ schema }: Kysely<never>) {
  const messages = () => schema.alterTable('messages')
  await messages()
    .addColumn('status', 'text', column => column.notNull().defaultTo('open'))
    .execute()
  await messages()
    .addColumn('version', 'integer', column => column.notNull().defaultTo(1))
    .execute()
  await messages()
    .addColumn('assignee_id', 'text', column => column.references('users.id').onDelete('set null'))
    .execute()
  for (const name of [
    'status_since',
    'snoozed_until',
    'due_at',
    'reply_key',
    'last_activity_at',
    'excerpt',
  ] as const)
    await messages().addColumn(name, 'text').execute()
  await schema.alterTable('entries').addColumn('detail', 'text').execute()
  await schema.alterTable('entries').addColumn('cc', 'text').execute()
}

async function createIndexes(db: Kysely<never>) {
  await db.schema.dropIndex('messages_by_read_and_verification').execute()
  await sql`create index messages_by_read_status_and_verification
    on messages (is_read, status, substr(verification, 1, 3))`.execute(db)
  await db.schema.dropIndex('messages_by_day').execute()
  await db.schema
    .createIndex('messages_by_day')
    .on('messages')
    .columns(['created_at', 'form_type', 'status'])
    .execute()
  await sql`create index messages_by_activity on messages (coalesce(last_activity_at, created_at), id)`.execute(
    db,
  )
  await sql`create index messages_by_assignee on messages (assignee_id) where assignee_id is not null`.execute(
    db,
  )
  await sql`create index messages_of_spam on messages (status_since) where status = 'spam'`.execute(db)
  await sql`create unique index messages_by_reply_key on messages (reply_key) where reply_key is not null`.execute(
    db,
  )
  await db.schema.dropIndex('messages_by_email').execute()
  await sql`create index messages_by_email on messages (lower(email), id)`.execute(db)
  const phone = isPostgres(db) ? PHONE_IN_POSTGRES : PHONE_IN_SQLITE
  await sql`create index messages_by_phone on messages (${sql.raw(phone)}, id)`.execute(db)
}

/** The last nine digits, which a number has with and without its country. A query must repeat this exactly. */
const PLAIN =
  "replace(replace(replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), '+', '')"
const PHONE_IN_SQLITE = `substr(${PLAIN}, -9)`
const PHONE_IN_POSTGRES = `right(${PLAIN}, 9)`

async function createNotes({ schema }: Kysely<never>) {
  await schema
    .createTable('notes')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('message_id', 'text', column => column.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('author_id', 'text')
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await schema.createIndex('notes_by_message').on('notes').columns(['message_id', 'id']).execute()
}

async function createDrafts({ schema }: Kysely<never>) {
  await schema
    .createTable('drafts')
    .addColumn('message_id', 'text', column => column.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('user_id', 'text', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('version', 'integer', column => column.notNull())
    .addColumn('updated_at', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('drafts_key', ['message_id', 'user_id', 'kind'])
    .execute()
  await schema.createIndex('drafts_by_user').on('drafts').column('user_id').execute()
}

async function createTags({ schema }: Kysely<never>) {
  await schema
    .createTable('message_tags')
    .addColumn('message_id', 'text', column => column.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('tag', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('message_tags_key', ['message_id', 'tag'])
    .execute()
  await schema.createIndex('message_tags_by_tag').on('message_tags').column('tag').execute()
}

async function createMailIds({ schema }: Kysely<never>) {
  await schema
    .createTable('mail_ids')
    .addColumn('mail_id', 'text', column => column.primaryKey())
    .addColumn('message_id', 'text', column => column.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('entry_id', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await schema
    .createIndex('mail_ids_by_message')
    .on('mail_ids')
    .columns(['message_id', 'created_at'])
    .execute()
}
