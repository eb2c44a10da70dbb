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
  OF_MESSAGE,
  OF_USER,
  run,
  TEXT,
  withoutTimeout,
} from './define.ts'

/** What staff do with a message, and what they see of each other. */
export const conversations: Migrations = {
  /** A message becomes a conversation: what is read was dealt with, so it is closed, and the rest is open. */
  async '0025-conversations'(db) {
    await withoutTimeout(db)
    // The defaults are for a node of the previous version, too.
    await addColumns(db, 'messages', [
      ["text default 'open' not null", 'status'],
      ['integer default 1 not null', 'version'],
      ['text references "users" ("id") on delete set null', 'assignee_id'],
      ['text', 'status_since', 'snoozed_until', 'due_at', 'reply_key', 'last_activity_at', 'excerpt'],
    ])
    await addColumns(db, 'entries', [['text', 'detail', 'cc']])
    await sql`update messages set status = 'closed' where is_read = 1`.execute(db)
    await createMessageIndexes(db)
    await createConversationTables(db)
  },

  /** The entries of one user in the order of the log, and unread messages in the order of their list. Both hold few of the rows. */
  async '0028-logs-and-unread'(db) {
    await sql`create index messages_unread on messages (id) where is_read = 0 and status <> 'spam'`.execute(
      db,
    )
    await sql`create index logs_by_user on logs (user_id, id) where user_id is not null`.execute(db)
  },

  /** What open screens learn of what others do: which messages have changed, and who is looking at one. */
  async '0029-live'(db) {
    await createTable(db, 'changes', [
      ['integer primary key', 'id'],
      // Not a reference: the change may be that the message was deleted.
      [TEXT, 'message_id', 'kind', 'created_at'],
    ]).execute()
    await createIndex(db, 'changes', 'by_time', ['created_at'])
    await createTable(db, 'presence', [
      [TEXT, 'message_id', 'user_id', 'expires_at'],
      [KEY_OF, 'message_id', 'user_id'],
    ]).execute()
    await createIndex(db, 'presence', 'by_expiry', ['expires_at'])
  },

  /** Acknowledgements to visitors, and texts that staff insert into replies. */
  async '0030-acknowledgements'(db) {
    await createTable(db, 'acknowledgements', [
      // No reference: for a day it is known who got one, whatever becomes of the message.
      [KEY, 'message_id'],
      ['text', 'recipient_hash'],
      [TEXT, 'created_at'],
      ['text', 'decided_at'],
    ]).execute()
    await sql`create index acknowledgements_waiting on acknowledgements (created_at) where decided_at is null`.execute(
      db,
    )
    await createIndex(db, 'acknowledgements', 'by_recipient', ['recipient_hash', 'decided_at'])
    await createTable(db, 'canned_replies', [
      [KEY, 'id'],
      [TEXT, 'title', 'body'],
      [NUMBER, 'position'],
      ['integer default 0 not null', 'uses'],
      [TEXT, 'updated_at'],
    ]).execute()
  },

  /**
   * By which office hours `due_at` was worked out. What was stored before has none and gets none: nobody promised anything
   * for it. The index finds the open messages whose hours have changed, which are few.
   */
  async '0031-reply-clock'(db) {
    await withoutTimeout(db)
    await addColumns(db, 'messages', [['text', 'due_rule']])
    await sql`create index messages_by_due_rule on messages (due_rule, due_at)
    where due_rule is not null and status = 'open'`.execute(db)
  },

  /** The message whose conversation another one is shown in. No foreign key: a copy writes rows in the order of their ids. */
  async '0032-merged-messages'(db) {
    await addColumns(db, 'messages', [['text', 'merged_into']])
    await sql`create index messages_merged on messages (merged_into) where merged_into is not null`.execute(
      db,
    )
  },

  /**
   * How long the first reply of a message took is stored with it, and each figure of the dashboard has an index that holds
   * nothing else, so that it is counted without reading a message.
   */
  async '0033-first-replies'(db) {
    await withoutTimeout(db)
    await addColumns(db, 'messages', [
      ['text', 'first_reply_week'],
      ['integer', 'first_reply_minutes'],
    ])
    // With the columns of the condition, or SQLite reads each row for them.
    await run(
      db,
      sql`create index messages_by_first_reply on messages (first_reply_week, first_reply_minutes, status)
    where first_reply_week is not null and status <> 'spam'`,
      sql`create index messages_open on messages (created_at, status) where status = 'open'`,
      sql`create index messages_due on messages (due_at, snoozed_until, status)
    where due_at is not null and status = 'open'`,
      sql`create index entries_of_answers on entries (created_at, author_id, message_id, id, kind)
    where kind in ('reply', 'call')`,
    )
  },

  /** With the status, so that what somebody has still to do is found among any number of closed messages. */
  async '0034-unfinished-by-assignee'(db) {
    await withoutTimeout(db)
    await db.schema.dropIndex('messages_by_assignee').execute()
    await sql`create index messages_by_assignee on messages (assignee_id, status)
    where assignee_id is not null`.execute(db)
    // What is merged into a message counts for its reply clock now: within a minute, all of these are worked out again.
    await sql`update messages set due_rule = '' where due_rule is not null and status = 'open'
      and id in (select merged_into from messages where merged_into is not null)`.execute(db)
  },

  /** What does not count as an answer is found without reading a message or an email: the indexes hold what is asked for. */
  async '0035-answer-indexes'(db) {
    await withoutTimeout(db)
    await db.schema.dropIndex('messages_of_spam').execute()
    await run(
      db,
      // With the columns of the condition, or SQLite reads each row for them.
      sql`create index messages_of_spam on messages (status_since, id, status) where status = 'spam'`,
      sql`create index outbox_of_failed_replies on outbox (id, state, kind)
    where state = 'failed' and kind = 'reply'`,
    )
  },
}

/** The last nine digits, which a number has with and without its country. A query must repeat this exactly. */
const PLAIN =
  "replace(replace(replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), '+', '')"
const PHONE_IN_SQLITE = `substr(${PLAIN}, -9)`
const PHONE_IN_POSTGRES = `right(${PLAIN}, 9)`

async function createMessageIndexes(db: EarlierDatabase) {
  for (const index of ['read_and_verification', 'day', 'email'])
    await db.schema.dropIndex(`messages_by_${index}`).execute()
  await createIndex(db, 'messages', 'by_day', ['created_at', 'form_type', 'status'])
  const phone = sql.raw(isPostgres(db) ? PHONE_IN_POSTGRES : PHONE_IN_SQLITE)
  await run(
    db,
    sql`create index messages_by_read_status_and_verification
    on messages (is_read, status, substr(verification, 1, 3))`,
    sql`create index messages_by_activity on messages (coalesce(last_activity_at, created_at), id)`,
    sql`create index messages_by_assignee on messages (assignee_id) where assignee_id is not null`,
    sql`create index messages_of_spam on messages (status_since) where status = 'spam'`,
    sql`create unique index messages_by_reply_key on messages (reply_key) where reply_key is not null`,
    sql`create index messages_by_email on messages (lower(email), id)`,
    sql`create index messages_by_phone on messages (${phone}, id)`,
  )
}

async function createConversationTables(db: EarlierDatabase) {
  await createTable(db, 'notes', [
    [KEY, 'id'],
    [OF_MESSAGE, 'message_id'],
    ['text', 'author_id'],
    [TEXT, 'body', 'created_at'],
  ]).execute()
  await createIndex(db, 'notes', 'by_message', ['message_id', 'id'])
  await createTable(db, 'drafts', [
    [OF_MESSAGE, 'message_id'],
    [OF_USER, 'user_id'],
    [TEXT, 'kind', 'body'],
    [NUMBER, 'version'],
    [TEXT, 'updated_at'],
    [KEY_OF, 'message_id', 'user_id', 'kind'],
  ]).execute()
  await createIndex(db, 'drafts', 'by_user', ['user_id'])
  await createTable(db, 'message_tags', [
    [OF_MESSAGE, 'message_id'],
    [TEXT, 'tag'],
    [KEY_OF, 'message_id', 'tag'],
  ]).execute()
  await createIndex(db, 'message_tags', 'by_tag', ['tag'])
  await createTable(db, 'mail_ids', [
    [KEY, 'mail_id'],
    [OF_MESSAGE, 'message_id'],
    [TEXT, 'entry_id', 'created_at'],
  ]).execute()
  await createIndex(db, 'mail_ids', 'by_message', ['message_id', 'created_at'])
}
