import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/**
 * What finds messages by their text, by several filters at once and by day, at a cost that does not grow with their
 * number. The search for text is the one thing that the engines do in ways of their own.
 */
export async function up(db: Kysely<never>): Promise<void> {
  // A statement may take five seconds, and an index over a million messages takes longer.
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
  // The first three letters tell `verified`, `off`, `unverified:…` and `suspect:…` apart.
  await sql`create index messages_by_verification on messages (substr(verification, 1, 3), id)`.execute(db)
  await sql`create index messages_by_all_filters on messages (form_type, is_read, substr(verification, 1, 3), id)`.execute(
    db,
  )
  await db.schema.createIndex('messages_by_day').on('messages').columns(['created_at', 'form_type']).execute()
  await db.schema.createIndex('outbox_by_state').on('outbox').columns(['state', 'message_id']).execute()
  if (isPostgres(db)) await indexPostgres(db)
  else await indexSqlite(db)
}

/**
 * Words of one or two letters are looked up at the beginning of addresses and names, all others anywhere, by the
 * groups of three letters in them. Where the extension is not to be had, a search reads the messages themselves, a
 * stretch at a time.
 */
async function indexPostgres(db: Kysely<never>) {
  await sql`create index messages_by_email on messages (lower(email) collate "C")`.execute(db)
  await sql`create index messages_by_name on messages (lower(name) collate "C")`.execute(db)
  await sql`do $$ begin
    create extension if not exists pg_trgm;
  exception when others then
    raise notice 'pg_trgm could not be created: %', sqlerrm;
  end $$`.execute(db)
  const { rows } = await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(db)
  if (rows.length === 0) return
  // What arrives waits in a list until it is worth sorting in. Whoever searches reads that list from end to end, and
  // whoever fills it sorts it in: with the 4 MB that are usual, the one takes 7 ms and the other much longer.
  await sql`create index messages_by_text on messages using gin ((name || E'\n' || email || E'\n' || coalesce(phone, '') || E'\n' || reference || E'\n' || message) gin_trgm_ops) with (gin_pending_list_limit = 256)`.execute(
    db,
  )
}

/**
 * The index keeps no text of its own, and names a message by the number of its arrival, which VACUUM leaves alone.
 * Nobody changes the text of a message, so it follows insertions and deletions only.
 */
async function indexSqlite(db: Kysely<never>) {
  await sql`create index messages_by_email on messages (lower(email))`.execute(db)
  await sql`create index messages_by_name on messages (lower(name))`.execute(db)
  await sql`create table message_numbers (number integer primary key, message_id text not null unique,
    form_type text not null, is_read integer not null, verification text not null)`.execute(db)
  await sql`create virtual table message_texts using fts5 (name, email, phone, reference, message, content = '', tokenize = 'trigram')`.execute(
    db,
  )
  // A deleted message leaves nothing of its words in the index.
  await sql`insert into message_texts (message_texts, rank) values ('secure-delete', 1)`.execute(db)
  await sql`insert into message_numbers (message_id, form_type, is_read, verification)
    select id, form_type, is_read, verification from messages order by id`.execute(db)
  await sql`insert into message_texts (rowid, name, email, phone, reference, message)
    select number, name, email, phone, reference, message
    from message_numbers join messages on messages.id = message_id order by number`.execute(db)
  await sql`create trigger message_text_begins after insert on messages begin
    insert into message_numbers (message_id, form_type, is_read, verification)
    values (new.id, new.form_type, new.is_read, new.verification);
    insert into message_texts (rowid, name, email, phone, reference, message)
    select number, new.name, new.email, new.phone, new.reference, new.message
    from message_numbers where message_id = new.id;
  end`.execute(db)
  await sql`create trigger message_number_follows after update of form_type, is_read, verification on messages begin
    update message_numbers set form_type = new.form_type, is_read = new.is_read, verification = new.verification
    where message_id = new.id;
  end`.execute(db)
  await sql`create trigger message_text_ends before delete on messages begin
    insert into message_texts (message_texts, rowid, name, email, phone, reference, message)
    select 'delete', number, old.name, old.email, old.phone, old.reference, old.message
    from message_numbers where message_id = old.id;
    delete from message_numbers where message_id = old.id;
  end`.execute(db)
}
