import { sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import {
  addColumns,
  createIndex,
  createTable,
  type EarlierDatabase,
  KEY,
  KEY_OF,
  type Migrations,
  NUMBER,
  OF_USER,
  run,
  TEXT,
  withoutTimeout,
} from './define.ts'

/** As many as fit beside each other, so that no two addresses are likely to wait for one another. */
const DECOYS = 256

/** Before the first release: accounts, enquiries, emails, logs and limits. */
export const beforeRelease: Migrations = {
  /** Staff accounts and everything that signs them in. */
  async '0001-users'(db) {
    await createTable(db, 'users', [
      [KEY, 'id'],
      ['text not null unique', 'email'],
      [TEXT, 'name', 'role', 'password_hash'],
      [NUMBER, 'is_default', 'email_verified'],
      ['integer default 0 not null', 'failed_sign_ins'],
      ['text', 'locked_until'],
      [TEXT, 'created_at'],
    ]).execute()
    await createTable(db, 'sessions', [
      [KEY, 'id'],
      ['text not null unique', 'token_hash'],
      [OF_USER, 'user_id'],
      [TEXT, 'user_agent', 'created_at', 'last_seen_at'],
    ]).execute()
    await createIndex(db, 'sessions', 'by_user', ['user_id'])
    await createTable(db, 'pending_sign_ins', [
      [KEY, 'token_hash'],
      [OF_USER, 'user_id'],
      [TEXT, 'code_hash', 'code_expires_at', 'code_sent_at'],
      [NUMBER, 'failures'],
      [TEXT, 'created_at'],
    ]).execute()
    await createIndex(db, 'pending_sign_ins', 'by_user', ['user_id'])
    await createTable(db, 'trusted_devices', [
      [KEY, 'token_hash'],
      [OF_USER, 'user_id'],
      [TEXT, 'expires_at'],
    ]).execute()
    await createIndex(db, 'trusted_devices', 'by_user', ['user_id'])
    await createTable(db, 'console_codes', [
      ['text primary key references "users" ("id") on delete cascade', 'user_id'],
      [TEXT, 'code_hash', 'expires_at'],
    ]).execute()
  },

  /** What admins change in the portal; a key without a row has its default. */
  async '0002-settings'(db) {
    await createTable(db, 'settings', [
      [KEY, 'key'],
      [TEXT, 'value', 'updated_at'],
    ]).execute()
  },

  /** Visitors' enquiries, and the answers that a repeated request gets again. */
  async '0003-messages'(db) {
    await createTable(db, 'messages', [
      [KEY, 'id'],
      ['text not null unique', 'reference'],
      [TEXT, 'form_type', 'name', 'email'],
      ['text', 'phone', 'service'],
      [TEXT, 'message'],
      [NUMBER, 'is_read'],
      [TEXT, 'verification', 'created_at'],
    ]).execute()
    await createIndex(db, 'messages', 'by_type', ['form_type', 'id'])
    await createIndex(db, 'messages', 'by_read', ['is_read', 'id'])
    await createTable(db, 'idempotency_keys', [
      [KEY, 'key'],
      [TEXT, 'request_hash', 'reply', 'expires_at'],
    ]).execute()
    await createIndex(db, 'idempotency_keys', 'by_expiry', ['expires_at'])
  },

  /** Letters that are to be sent, written in the transaction that they tell of. */
  async '0004-outbox'(db) {
    await createTable(db, 'outbox', [
      [KEY, 'id'],
      ['text references "messages" ("id") on delete cascade', 'message_id'],
      [TEXT, 'letter', 'state'],
      [NUMBER, 'attempts'],
      [TEXT, 'due_at'],
      ['text', 'leased_until', 'last_error'],
      [TEXT, 'created_at'],
      ['text', 'sent_at'],
    ]).execute()
    await createIndex(db, 'outbox', 'by_due', ['state', 'due_at'])
    await createIndex(db, 'outbox', 'by_message', ['message_id'])
  },

  /**
   * Under a flood of enquiries whose senders could not be verified, staff get one letter an hour for many of them. A row
   * says that a message waits for such a letter, or which one tells of it.
   */
  async '0005-gathered-notices'(db) {
    await createTable(db, 'gathered_notices', [
      ['text primary key references "messages" ("id") on delete cascade', 'message_id'],
      ['text references "outbox" ("id") on delete cascade', 'letter_id'],
      [TEXT, 'created_at'],
    ]).execute()
    await createIndex(db, 'gathered_notices', 'by_letter', ['letter_id', 'created_at'])
    // Counted with every doubtful enquiry, so it must not cost more with a million others.
    await sql`create index messages_doubtful on messages (created_at) where verification not in ('verified', 'off')`.execute(
      db,
    )
  },

  /**
   * The lines of the log as admins read them. An id begins with its time, so each index ends in it: every filter finds
   * its page where the one before ended, and what is old stands at the beginning.
   */
  async '0006-logs'(db) {
    await createTable(db, 'logs', [
      [KEY, 'id'],
      [TEXT, 'level', 'source', 'message', 'details'],
      ['text', 'ip_address', 'user_id', 'user_agent'],
      [TEXT, 'created_at'],
    ]).execute()
    await createIndex(db, 'logs', 'by_level', ['level', 'id'])
    await createIndex(db, 'logs', 'by_source', ['source', 'id'])
    await createIndex(db, 'logs', 'by_both', ['level', 'source', 'id'])
    // Since when the oldest letter waits is asked every few seconds by whoever watches over the installation.
    await createIndex(db, 'outbox', 'by_age', ['state', 'created_at'])
  },

  /** Tokens with which programs call in the name of a user. */
  async '0007-api-tokens'(db) {
    await createTable(db, 'api_tokens', [
      [KEY, 'id'],
      ['text not null unique', 'token_hash'],
      [OF_USER, 'user_id'],
      [TEXT, 'description', 'token_type', 'created_at', 'expires_at'],
      ['text', 'last_used_at'],
    ]).execute()
    await createIndex(db, 'api_tokens', 'by_user', ['user_id', 'id'])
  },

  /**
   * Links that prove an address, browsers that an account is known to use, and what has to be remembered of wrong codes
   * and locked accounts so that their owners can be told.
   */
  async '0008-email-verification'(db) {
    await createTable(db, 'email_verifications', [
      [KEY, 'token_hash'],
      [OF_USER, 'user_id'],
      [TEXT, 'email', 'expires_at'],
    ]).execute()
    await createIndex(db, 'email_verifications', 'by_user', ['user_id'])
    await createTable(db, 'known_browsers', [
      [OF_USER, 'user_id'],
      [TEXT, 'token_hash', 'seen_at'],
      [KEY_OF, 'user_id', 'token_hash'],
    ]).execute()
    await createIndex(db, 'known_browsers', 'by_token', ['token_hash'])
    await addColumns(db, 'users', [
      ['integer default 0 not null', 'wrong_codes'],
      ['text', 'lock_letter_due_at'],
    ])
  },

  /**
   * What finds messages by their text, by several filters at once and by day, at a cost that does not grow with their
   * number. The search for text is the one thing that the engines do in ways of their own.
   */
  async '0009-message-search'(db) {
    await withoutTimeout(db)
    // The first three letters tell `verified`, `off`, `unverified:…` and `suspect:…` apart.
    await run(
      db,
      sql`create index messages_by_verification on messages (substr(verification, 1, 3), id)`,
      sql`create index messages_by_all_filters on messages (form_type, is_read, substr(verification, 1, 3), id)`,
    )
    await createIndex(db, 'messages', 'by_day', ['created_at', 'form_type'])
    await createIndex(db, 'outbox', 'by_state', ['state', 'message_id'])
    if (isPostgres(db)) await indexPostgres(db)
    else await indexSqlite(db)
  },

  /**
   * What nodes that share a database have counted against client addresses and accounts. PostgreSQL keeps it out of its
   * journal, so that nobody waits for a disk: after a crash of the database the counts begin anew. On SQLite, where one
   * process counts in its memory, it stays empty.
   */
  async '0010-rate-limits'(db) {
    await createTable(db, 'rate_limits', [
      [KEY, 'key'],
      [NUMBER, 'used', 'most'],
      [TEXT, 'ends_at'],
    ])
      .$call(table => (isPostgres(db) ? table.modifyFront(sql`unlogged`) : table))
      .execute()
    await createIndex(db, 'rate_limits', 'by_end', ['ends_at'])
  },

  /** Rows that a refused login writes to when it may not write to an account, or there is none. */
  async '0011-decoys'(db) {
    await createTable(db, 'decoys', [
      ['integer primary key', 'id'],
      [NUMBER, 'tries'],
    ]).execute()
    const rows = Array.from({ length: DECOYS }, (_, id) => sql`(${id}, 0)`)
    await sql`insert into decoys (id, tries) values ${sql.join(rows)}`.execute(db)
  },

  /**
   * Wrong passwords that came from a browser which the account knows, counted apart from those of strangers, and when the
   * last one came: after a day without any, the count is forgotten.
   */
  async '0012-tries-of-browsers'(db) {
    await createTable(db, 'browser_tries', [
      [OF_USER, 'user_id'],
      [TEXT, 'token_hash'],
      [NUMBER, 'failed_sign_ins'],
      ['text', 'locked_until'],
      [TEXT, 'last_failed_at'],
      [KEY_OF, 'user_id', 'token_hash'],
    ]).execute()
    await addColumns(db, 'users', [['text', 'last_failed_at']])
  },

  /** What was deleted or erased, as keyed hashes: a backup from before still holds it, and a restore leaves it out. */
  async '0013-erased'(db) {
    await createTable(db, 'erased', [
      [KEY, 'hash'],
      [TEXT, 'kind', 'key_id', 'erased_at'],
    ]).execute()
  },
}

/**
 * Words of one or two letters are looked up at the beginning of addresses and names, all others anywhere, by the
 * groups of three letters in them. Where the extension is not to be had, a search reads the messages themselves, a
 * stretch at a time.
 */
async function indexPostgres(db: EarlierDatabase) {
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
async function indexSqlite(db: EarlierDatabase) {
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
