import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import {
  addColumns,
  createTable,
  type EarlierDatabase,
  KEY,
  type Migrations,
  NUMBER,
  run,
  TEXT,
  withoutTimeout,
} from './define.ts'

/** The search of the inbox, ids of pictures, phone calls and mail providers. */
export const searchAndCalls: Migrations = {
  /**
   * Two tables with the words of each message, prepared for a search: what staff write for each other is apart. Both start
   * empty: a message without a row is read itself, and is indexed in the background. Decision 052.
   */
  async '0037-inbox-search'(db) {
    for (const table of ['search_words', 'note_words'])
      await createTable(db, table, [
        ['text primary key references "messages" ("id") on delete cascade', 'message_id'],
        [TEXT, 'words', 'parts'],
      ]).execute()
    await addColumns(db, 'search_words', [['integer default 0 not null', 'is_stale']])
    await sql`create index search_words_stale on search_words (message_id) where is_stale = 1`.execute(db)
    if (isPostgres(db))
      await sql`create function outdate_search_words() returns trigger language plpgsql as $$
    declare changed text;
    begin
      changed := to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> tg_argv[0];
      update search_words set words = '', parts = '', is_stale = 1 where message_id = changed and is_stale = 0;
      delete from note_words where message_id = changed;
      return null;
    end $$`.execute(db)
    for (const trigger of searchTriggers) {
      const { column, id, create } = describeTrigger(trigger)
      const begin = isPostgres(db)
        ? sql`execute function outdate_search_words(${sql.lit(column)})`
        : sql`begin
    update search_words set words = '', parts = '', is_stale = 1 where message_id = ${id} and is_stale = 0;
    delete from note_words where message_id = ${id};
  end`
      await sql`${create} ${begin}`.execute(db)
    }
  },

  /** Until when somebody who looks at a message counts as writing about it; null while they do not. */
  async '0039-writing'(db) {
    await addColumns(db, 'presence', [['text', 'writing_until']])
  },

  /**
   * A picture gets a random id. Until now its address was the hash of the upload, so that whoever had the file could ask
   * whether it was here. The hash stays, so that the same file is the same picture, and old addresses lead to the new ones.
   */
  async '0041-picture-ids'(db) {
    await withoutTimeout(db)
    await createTable(db, 'picture_hashes', [
      [KEY, 'sha256'],
      ['text not null unique', 'picture_id'],
      [NUMBER, 'was_address'],
    ]).execute()
    // Also of pictures that were deleted: a version of the past shows one again after the same file has been uploaded.
    const { rows } = await sql<{ sha256: string }>`select id as sha256 from pictures
    union select picture_id from content_draft_pictures union select picture_id from content_version_pictures`.execute(
      db,
    )
    for (const { sha256 } of rows) await renamePicture(db, sha256, randomBytes(16).toString('hex'))
  },

  /**
   * A phone call says who called, what came of it and how long it took. One from before says nothing, and counts as an answer
   * as it did then. The index of answers has no call that reached nobody.
   */
  async '0043-phone-calls'(db) {
    await withoutTimeout(db)
    await addColumns(db, 'entries', [
      ['text', 'call_direction', 'call_outcome'],
      ['integer', 'call_minutes'],
    ])
    await db.schema.dropIndex('entries_of_answers').execute()
    // With the columns of the condition, or SQLite reads each row for them.
    await sql`create index entries_of_answers on entries (created_at, author_id, message_id, id, kind, call_outcome)
    where kind in ('reply', 'call') and (call_outcome is null or call_outcome = 'reached')`.execute(db)
  },

  /** Names of deleted users, for the history of what they did. */
  async '0044-former-users'(db) {
    await createTable(db, 'former_users', [
      [KEY, 'id'],
      [TEXT, 'name', 'deleted_at'],
    ]).execute()
  },

  /**
   * Every change of a text raises the version of its message's row, and makes the row when there is none: whoever has read the
   * texts before can see that, and writes no words that are gone. Decision 052.
   */
  async '0046-search-versions'(db) {
    await addColumns(db, 'search_words', [['integer default 0 not null', 'version']])
    // PostgreSQL has one function for all of the triggers.
    if (isPostgres(db)) await replaceFunction(db)
    else for (const trigger of searchTriggers) await replaceTrigger(db, trigger)
  },

  /**
   * Whether emails come through the way that they are sent now, and the test of a provider that waits to be used. A provider
   * that was saved before and has sent an email since counts as confirmed: nothing changes for that installation.
   */
  async '0047-mail-providers'(db) {
    await createTable(db, 'mail_providers', [
      [KEY, 'kind'],
      [TEXT, 'fingerprint'],
      ['text', 'confirmed_at', 'sent_at', 'failing_since', 'reason'],
    ]).execute()
    await createTable(db, 'mail_tests', [
      [KEY, 'id'],
      [TEXT, 'sent_to', 'tested_at'],
      ['text', 'code_hash', 'expires_at'],
      [NUMBER, 'wrong_codes'],
      ['text', 'reason', 'problem'],
    ]).execute()
    // While a Mailchimp key is set, the mail server is not used: only what was sent after both were changed proves it.
    await confirmProvider(db, 'mailchimp', sql`('mailchimp_transactional_api_key')`)
    await confirmProvider(db, 'settings', sql`('smtp', 'mailchimp_transactional_api_key')`)
  },
}

type Trigger = readonly [table: string, column: string, on: string]

/**
 * Of each table whose texts are searched, the column that names the message, and those that have the texts. In the database,
 * so that no change of a text is missed, whatever makes it; and erased words go at once. A message takes its rows with it.
 */
const searchTriggers: readonly Trigger[] = [
  ['messages', 'id', 'update of name, email, phone, reference, message, details'],
  ...changesOf('entries', 'message_id, kind, body'),
  ...changesOf('notes', 'message_id, body'),
  ...changesOf('message_tags', 'message_id, tag'),
]

function changesOf(table: string, columns: string): readonly Trigger[] {
  return ['insert', `update of ${columns}`, 'delete'].map(on => [table, 'message_id', on] as const)
}

function describeTrigger([table, column, on]: Trigger) {
  const change = on.slice(0, 6)
  const row = change === 'delete' ? 'old' : 'new'
  // A reply that is taken back becomes an event, and its words go.
  const texts = (change === 'update' ? ['old', 'new'] : [row]).map(it => `${it}.kind <> 'event'`)
  const when = table === 'entries' ? sql.raw(`when (${texts.join(' or ')})`) : sql``
  const name = sql.ref(`search_words_${table}_${change}`)
  const create = sql`create trigger ${name} after ${sql.raw(on)} on ${sql.table(table)} for each row ${when}`
  return { name, column, id: sql.raw(`${row}.${column}`), create }
}

async function replaceTrigger(db: EarlierDatabase, trigger: Trigger) {
  const { name, id, create } = describeTrigger(trigger)
  await sql`drop trigger ${name}`.execute(db)
  // A message that is being deleted takes its rows with it, and gets none.
  await sql`${create} begin
    update search_words set words = '', parts = '', is_stale = 1, version = version + 1 where message_id = ${id};
    insert into search_words (message_id, words, parts, is_stale, version) select ${id}, '', '', 1, 1
      where exists (select 1 from messages where id = ${id})
        and not exists (select 1 from search_words where message_id = ${id});
    delete from note_words where message_id = ${id};
  end`.execute(db)
}

async function replaceFunction(db: EarlierDatabase) {
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

/** The row of the picture is copied first and deleted last, because its files refer to it. */
async function renamePicture(db: EarlierDatabase, sha256: string, id: string) {
  const before = `"${sha256}"`
  const after = `"${id}"`
  await run(
    db,
    sql`insert into picture_hashes (sha256, picture_id, was_address) values (${sha256}, ${id}, 1)`,
    sql`insert into pictures (id, width, height, bytes, uploaded_by, created_at)
      select cast(${id} as text), width, height, bytes, uploaded_by, created_at from pictures where id = ${sha256}`,
    sql`update picture_files set picture_id = ${id}, name = replace(name, cast(${sha256} as text), cast(${id} as text))
      where picture_id = ${sha256}`,
    sql`delete from pictures where id = ${sha256}`,
    sql`update content_drafts set body = replace(body, cast(${before} as text), cast(${after} as text))
      where document_id in (select document_id from content_draft_pictures where picture_id = ${sha256})`,
    sql`update content_versions set body = replace(body, cast(${before} as text), cast(${after} as text))
      where id in (select version_id from content_version_pictures where picture_id = ${sha256})`,
    sql`update content_draft_pictures set picture_id = ${id} where picture_id = ${sha256}`,
    sql`update content_version_pictures set picture_id = ${id} where picture_id = ${sha256}`,
  )
}

/** An empty fingerprint stands for what was saved by then: to know more, the migration would need the secret key. */
async function confirmProvider(db: EarlierDatabase, kind: string, keys: ReturnType<typeof sql>) {
  const own = kind === 'settings' ? 'smtp' : 'mailchimp_transactional_api_key'
  await sql`insert into mail_providers (kind, fingerprint, sent_at)
    select cast(${kind} as text), '', max(sent.time) from (
      select sent_at as time from outbox where state = 'sent'
      union all select updated_at from settings where key = 'mail_tested') as sent
    where sent.time > (select max(updated_at) from settings where key in ${keys})
      and exists (select 1 from settings where key = ${own})
    having max(sent.time) is not null`.execute(db)
}
