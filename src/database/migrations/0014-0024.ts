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
  OF_DOCUMENT,
  OF_MESSAGE,
  OF_USER,
  TEXT,
} from './define.ts'

/** The history of messages, content that staff edit, and pictures. */
export const contentAndHistory: Migrations = {
  /** Renames tables and columns to the terms that the code uses, and empties emails that were sent, as the outbox now does. */
  async '0014-standard-names'(db) {
    const { schema } = db
    // SQLite would rewrite the triggers' table names but not FTS5's column of the same name, so they are created again.
    if (!isPostgres(db))
      for (const name of ['message_text_begins', 'message_number_follows', 'message_text_ends'])
        await sql`drop trigger ${sql.ref(name)}`.execute(db)
    await schema.alterTable('users').renameColumn('lock_letter_due_at', 'lock_email_due_at').execute()
    await schema.alterTable('outbox').renameColumn('letter', 'email').execute()
    await sql`update outbox set email = '' where state = 'sent'`.execute(db)
    await schema.alterTable('decoys').renameTo('dummy_login_attempts').execute()
    await schema.alterTable('browser_tries').renameTo('browser_login_attempts').execute()
    await schema.dropIndex('gathered_notices_by_letter').execute()
    await schema.alterTable('gathered_notices').renameTo('digest_items').execute()
    await schema.alterTable('digest_items').renameColumn('letter_id', 'email_id').execute()
    await createIndex(db, 'digest_items', 'by_email', ['email_id', 'created_at'])
    if (isPostgres(db)) return
    await schema.alterTable('message_numbers').renameTo('message_search_rows').execute()
    await schema.alterTable('message_texts').renameTo('message_search').execute()
    await createSearchTriggers(db)
  },

  /** What a user may do with messages beside the role: `none`, `read` or `answer`. */
  async '0015-inbox-grant'(db) {
    await addColumns(db, 'users', [["text default 'none' not null", 'inbox']])
  },

  /** Gives a message several emails, by naming the kind of each, and a history. */
  async '0016-message-history'(db) {
    // The default is for a node of the previous version, which may still write notices while this one starts.
    await addColumns(db, 'outbox', [["text default 'notice' not null", 'kind']])
    await sql`update outbox set kind = 'account' where message_id is null`.execute(db)
    await sql`update outbox set kind = 'digest' where id in (select email_id from digest_items)`.execute(db)
    await db.schema.dropIndex('outbox_by_state').execute()
    await createIndex(db, 'outbox', 'by_state', ['state', 'kind'])
    await createTable(db, 'entries', [
      [KEY, 'id'],
      [OF_MESSAGE, 'message_id'],
      [NUMBER, 'seq'],
      [TEXT, 'kind'],
      ['text', 'author_id'],
      [TEXT, 'body', 'created_at'],
    ])
      .addUniqueConstraint('entries_in_order', ['message_id', 'seq'])
      .execute()
  },

  /**
   * Lists and searches now read messages in the order of their ids, so the indexes for filters and text go. What is left of
   * those for filters serves the figures of the dashboard.
   */
  async '0017-message-scans'(db) {
    for (const index of ['type', 'verification', 'all_filters', 'name'])
      await db.schema.dropIndex(`messages_by_${index}`).execute()
    await sql`create index messages_by_read_and_verification on messages (is_read, substr(verification, 1, 3))`.execute(
      db,
    )
    if (isPostgres(db)) {
      // Where the extension was not available, there was no index.
      await sql`drop index if exists messages_by_text`.execute(db)
      return
    }
    for (const change of ['insert', 'update', 'delete'])
      await sql`drop trigger ${sql.ref(`message_search_${change}`)}`.execute(db)
    await db.schema.dropTable('message_search').execute()
    await db.schema.dropTable('message_search_rows').execute()
  },

  /** What staff write for the public pages: documents, their drafts and versions, what was live when, and facts with dates. */
  async '0018-content'(db) {
    await createDocuments(db)
    await createPublications(db)
    await createTable(db, 'facts', [
      ['integer primary key', 'id'],
      [TEXT, 'name', 'value', 'unit', 'as_at', 'source_title', 'source_url', 'review_by'],
      ['text', 'ends_on'],
      [TEXT, 'checked_by', 'created_at'],
    ]).execute()
    await createIndex(db, 'facts', 'by_name', ['name', 'id'])
  },

  /** A second person approves what goes live: who has written in a draft, what waits for approval, and what came of it. */
  async '0019-reviews'(db) {
    await createTable(db, 'content_draft_editors', [
      [OF_DOCUMENT, 'document_id'],
      [TEXT, 'user_id'],
      [NUMBER, 'revision'],
      [KEY_OF, 'document_id', 'user_id'],
    ]).execute()
    // Until now only the last one was stored.
    await sql`insert into content_draft_editors (document_id, user_id, revision)
      select document_id, edited_by_id, revision from content_drafts where edited_by_id is not null`.execute(
      db,
    )
    await addColumns(db, 'content_versions', [["text default '[]' not null", 'editors']])
    await createReviews(db)
    await createTable(db, 'fact_proposals', [
      [KEY, 'id'],
      ['integer not null references "facts" ("id")', 'fact_id'],
      ['text not null unique', 'name'],
      [TEXT, 'value', 'unit', 'as_at', 'source_title', 'source_url', 'review_by'],
      ['text', 'ends_on'],
      [TEXT, 'asked_by_id', 'asked_by', 'asked_at'],
    ]).execute()
  },

  /** A document counts its versions, so that the number of one that was deleted is never used again. Lists name editors. */
  async '0020-version-numbers'(db) {
    await addColumns(db, 'content_documents', [['integer default 0 not null', 'last_version']])
    await sql`update content_documents set last_version = coalesce(
      (select max(number) from content_versions where document_id = content_documents.id), 0)`.execute(db)
    // Without it, a list of names reads every page of the bodies before them.
    await createIndex(db, 'content_drafts', 'by_editor', ['edited_by'])
  },

  /** Pictures that staff upload, in all their sizes, and which drafts and versions name them. */
  async '0021-pictures'(db) {
    await createTable(db, 'pictures', [
      [KEY, 'id'],
      [NUMBER, 'width', 'height', 'bytes'],
      [TEXT, 'uploaded_by', 'created_at'],
    ]).execute()
    await createIndex(db, 'pictures', 'by_time', ['created_at', 'id'])
    await createTable(db, 'picture_files', [
      [KEY, 'name'],
      ['text not null references "pictures" ("id") on delete cascade', 'picture_id'],
      [TEXT, 'body'],
    ]).execute()
    await createIndex(db, 'picture_files', 'by_picture', ['picture_id'])
    await createTable(db, 'content_draft_pictures', [
      [OF_DOCUMENT, 'document_id'],
      [TEXT, 'picture_id'],
      [KEY_OF, 'document_id', 'picture_id'],
    ]).execute()
    await createTable(db, 'content_version_pictures', [
      ['text not null references "content_versions" ("id") on delete cascade', 'version_id'],
      [TEXT, 'picture_id'],
      [KEY_OF, 'version_id', 'picture_id'],
    ]).execute()
    for (const table of ['content_draft_pictures', 'content_version_pictures'])
      await createIndex(db, table, 'by_picture', ['picture_id'])
  },

  /** What a visitor answers beside the fields that every form has: JSON text, or null without any. */
  async '0022-message-details'(db) {
    // Without a default: a node of the previous version writes messages while this one starts.
    await addColumns(db, 'messages', [['text', 'details']])
  },

  /** Links with which a person sets a password: after an invitation, or because they forgot theirs. */
  async '0024-password-links'(db) {
    await createTable(db, 'password_links', [
      [KEY, 'token_hash'],
      [OF_USER, 'user_id'],
      [TEXT, 'purpose', 'email', 'password_fingerprint', 'expires_at'],
    ]).execute()
    await createIndex(db, 'password_links', 'by_user', ['user_id'])
    await createTable(db, 'password_requests', [
      [KEY, 'email'],
      [TEXT, 'requested_at'],
    ]).execute()
  },
}

/** Those of migration 0009, under the new names. */
async function createSearchTriggers(db: EarlierDatabase) {
  await sql`create trigger message_search_insert after insert on messages begin
    insert into message_search_rows (message_id, form_type, is_read, verification)
    values (new.id, new.form_type, new.is_read, new.verification);
    insert into message_search (rowid, name, email, phone, reference, message)
    select number, new.name, new.email, new.phone, new.reference, new.message
    from message_search_rows where message_id = new.id;
  end`.execute(db)
  await sql`create trigger message_search_update after update of form_type, is_read, verification on messages begin
    update message_search_rows
    set form_type = new.form_type, is_read = new.is_read, verification = new.verification
    where message_id = new.id;
  end`.execute(db)
  await sql`create trigger message_search_delete before delete on messages begin
    insert into message_search (message_search, rowid, name, email, phone, reference, message)
    select 'delete', number, old.name, old.email, old.phone, old.reference, old.message
    from message_search_rows where message_id = old.id;
    delete from message_search_rows where message_id = old.id;
  end`.execute(db)
}

async function createDocuments(db: EarlierDatabase) {
  await createTable(db, 'content_documents', [
    [KEY, 'id'],
    [TEXT, 'kind', 'language'],
    ['text references "content_documents" ("id")', 'translation_of'],
    [TEXT, 'path'],
    ['text', 'archived_at'],
    [TEXT, 'created_at'],
  ]).execute()
  await sql`create unique index content_documents_by_path on content_documents (language, path)
    where archived_at is null`.execute(db)
  await createTable(db, 'content_versions', [
    [KEY, 'id'],
    [OF_DOCUMENT, 'document_id'],
    [NUMBER, 'number'],
    [TEXT, 'path', 'body'],
    [NUMBER, 'schema'],
    ['text', 'author_id'],
    [TEXT, 'author', 'note', 'findings', 'created_at'],
  ])
    .addUniqueConstraint('content_versions_by_number', ['document_id', 'number'])
    .execute()
  await createIndex(db, 'content_versions', 'by_path', ['path'])
  await createTable(db, 'content_drafts', [
    ['text primary key references "content_documents" ("id")', 'document_id'],
    [TEXT, 'title', 'body'],
    [NUMBER, 'schema', 'revision'],
    ['text references "content_versions" ("id")', 'base_version_id'],
    [NUMBER, 'base_revision'],
    ['text', 'edited_by_id'],
    [TEXT, 'edited_by', 'edited_at'],
  ]).execute()
}

async function createPublications(db: EarlierDatabase) {
  await createTable(db, 'content_publications', [
    ['integer primary key', 'id'],
    [OF_DOCUMENT, 'document_id'],
    ['text references "content_versions" ("id")', 'version_id'],
    [TEXT, 'live_from'],
    ['text', 'cancelled_at'],
    [TEXT, 'set_by', 'created_at'],
  ]).execute()
  await createIndex(db, 'content_publications', 'by_document', ['document_id', 'live_from', 'id'])
  await createIndex(db, 'content_publications', 'by_time', ['live_from'])
  await createTable(db, 'content_redirects', [
    [TEXT, 'language', 'from_path'],
    [OF_DOCUMENT, 'document_id'],
    [TEXT, 'created_at'],
    [KEY_OF, 'language', 'from_path'],
  ]).execute()
}

async function createReviews(db: EarlierDatabase) {
  await createTable(db, 'content_reviews', [
    [KEY, 'id'],
    [OF_DOCUMENT, 'document_id'],
    ['text not null references "content_versions" ("id")', 'version_id'],
    [NUMBER, 'revision'],
    [TEXT, 'asked_by_id', 'asked_by', 'note'],
    ['text', 'live_from'],
    [TEXT, 'asked_at'],
    ['text', 'outcome', 'decided_by_id', 'decided_by'],
    [TEXT, 'decision_note'],
    ['text', 'decided_at'],
  ]).execute()
  await createIndex(db, 'content_reviews', 'by_document', ['document_id', 'id'])
  await createIndex(db, 'content_reviews', 'by_version', ['version_id'])
  await sql`create unique index content_reviews_open on content_reviews (document_id)
    where outcome is null`.execute(db)
}
