import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/**
 * Every change of a text raises the version of its message's row, and makes the row when there is none: whoever has read the
 * texts before can see that, and writes no words that are gone. Decision 052.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('search_words')
    .addColumn('version', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  if (isPostgres(db)) return await replaceFunction(db)
  for (const trigger of triggers) await replaceTrigger(db, trigger)
}

/** Those of 0037, where PostgreSQL has one function for all of them. */
const triggers = [
  ['messages', 'id', 'update', 'update of name, email, phone, reference, message, details'],
  ...changesOf('entries', 'message_id, kind, body'),
  ...changesOf('notes', 'message_id, body'),
  ...changesOf('message_tags', 'message_id, tag'),
] as const

type Trigger = readonly [table: string, column: string, change: string, on: string]

function changesOf(table: string, columns: string): Trigger[] {
  return [
    [table, 'message_id', 'insert', 'insert'],
    [table, 'message_id', 'update', `update of ${columns}`],
    [table, 'message_id', 'delete', 'delete'],
  ]
}

async function replaceTrigger(db: Kysely<never>, [table, column, change, on]: Trigger) {
  const name = sql.ref(`search_words_${table}_${change}`)
  const row = change === 'delete' ? 'old' : 'new'
  // A reply that is taken back becomes an event, and its words go.
  const texts = (change === 'update' ? ['old', 'new'] : [row]).map(it => `${it}.kind <> 'event'`)
  const when = table === 'entries' ? sql.raw(`when (${texts.join(' or ')})`) : sql``
  const id = sql.raw(`${row}.${column}`)
  await sql`drop trigger ${name}`.execute(db)
  // A message that is being deleted takes its rows with it, and gets none.
  await sql`create trigger ${name} after ${sql.raw(on)} on ${sql.table(table)} for each row ${when} begin
    update search_words set words = '', parts = '', is_stale = 1, version = version + 1 where message_id = ${id};
    insert into search_words (message_id, words, parts, is_stale, version) select ${id}, '', '', 1, 1
      where exists (select 1 from messages where id = ${id})
        and not exists (select 1 from search_words where message_id = ${id});
    delete from note_words where message_id = ${id};
  end`.execute(db)
}

async function replaceFunction(db: Kysely<never>) {
  await sql`create or replace function outdate_search_words() returns trigger language plpgsql as $$
    declare changed text;
    begin
      changed := to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> tg_argv[0];
      insert into search_words (message_id, words, parts, is_stale, version) select changed, '', '', 1, 1
        where exists (select 1 from messages where id = changed)
        on conflict (message_id) do update
          set words = '', parts = '', is_stale = 1, version = search_words.version + 1;
      delete from note_words where message_id = changed;
      return null;
    end $$`.execute(db)
}
