import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/**
 * Two tables with the words of each message, prepared for a search: what staff write for each other is apart. Both start
 * empty: a message without a row is read itself, and is indexed in the background. Decision 052.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await createTable(db, 'search_words')
  await createTable(db, 'note_words')
  await db.schema
    .alterTable('search_words')
    .addColumn('is_stale', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await sql`create index search_words_stale on search_words (message_id) where is_stale = 1`.execute(db)
  if (isPostgres(db)) await createFunctions(db)
  for (const [table, column, of] of watched)
    for (const change of ['insert', 'update', 'delete'] as const) {
      if (change === 'insert' && table === 'messages') continue
      // A message takes its rows with it.
      if (change === 'delete' && table === 'messages') continue
      const on = change === 'update' ? `update of ${of}` : change
      await createTrigger(db, { table, column, on, change })
    }
}

/** The tables whose texts are searched, the column that names the message, and those that have the texts. */
const watched = [
  ['messages', 'id', 'name, email, phone, reference, message, details'],
  ['entries', 'message_id', 'message_id, kind, body'],
  ['notes', 'message_id', 'message_id, body'],
  ['message_tags', 'message_id', 'message_id, tag'],
] as const

async function createTable({ schema }: Kysely<never>, name: string) {
  await schema
    .createTable(name)
    .addColumn('message_id', 'text', column =>
      column.primaryKey().references('messages.id').onDelete('cascade'),
    )
    .addColumn('words', 'text', column => column.notNull())
    .addColumn('parts', 'text', column => column.notNull())
    .execute()
}

interface Trigger {
  readonly table: string
  readonly column: string
  readonly on: string
  readonly change: 'insert' | 'update' | 'delete'
}

/** In the database, so that no change of a text is missed, whatever makes it; and erased words go at once. */
async function createTrigger(db: Kysely<never>, { table, column, on, change }: Trigger) {
  const name = sql.ref(`search_words_${table}_${change}`)
  const row = change === 'delete' ? 'old' : 'new'
  // A reply that is taken back becomes an event, and its words go.
  const texts = (change === 'update' ? ['old', 'new'] : [row]).map(it => `${it}.kind <> 'event'`)
  const when = table === 'entries' ? sql.raw(`when (${texts.join(' or ')})`) : sql``
  const id = sql.raw(`${row}.${column}`)
  const after = sql`create trigger ${name} after ${sql.raw(on)} on ${sql.table(table)} for each row ${when}`
  if (isPostgres(db)) {
    await sql`${after} execute function outdate_search_words(${sql.lit(column)})`.execute(db)
    return
  }
  await sql`${after} begin
    update search_words set words = '', parts = '', is_stale = 1 where message_id = ${id} and is_stale = 0;
    delete from note_words where message_id = ${id};
  end`.execute(db)
}

async function createFunctions(db: Kysely<never>) {
  await sql`create function outdate_search_words() returns trigger language plpgsql as $$
    declare changed text;
    begin
      changed := to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> tg_argv[0];
      update search_words set words = '', parts = '', is_stale = 1 where message_id = changed and is_stale = 0;
      delete from note_words where message_id = changed;
      return null;
    end $$`.execute(db)
}
