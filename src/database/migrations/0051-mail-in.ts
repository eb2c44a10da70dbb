import { sql } from 'kysely'
import {
  addColumns,
  createIndex,
  createTable,
  type EarlierDatabase,
  KEY,
  KEY_OF,
  OF_MESSAGE,
  TEXT,
} from './define.ts'

/** What comes by mail: decision 073. An entry of the kind `inbound` has a row, and so has an enquiry that began as mail. */
export async function addMailIn(db: EarlierDatabase): Promise<void> {
  await addColumns(db, 'mail_ids', [['text', 'identity_hash', 'content_hash']])
  await addColumns(db, 'notes', [['integer not null default 0', 'came_by_mail']])
  await createTable(db, 'inbound_mails', [
    [KEY, 'entry_id'],
    [OF_MESSAGE, 'message_id'],
    [TEXT, 'mail_id', 'sender', 'mailbox_time', 'from_name', 'from_address', 'subject'],
    ['text', 'automatic', 'may_belong_to', 'problem'],
    [TEXT, 'to_addresses', 'cc_addresses', 'attachments', 'body_quoted'],
    // Last, because SQLite reads what is before a column.
    ['text', 'html'],
  ]).execute()
  await createIndex(db, 'inbound_mails', 'by_message', ['message_id'])
  await createTable(db, 'inbound_raw', [
    [KEY, 'id'],
    [OF_MESSAGE, 'message_id'],
    [TEXT, 'body'],
  ]).execute()
  await createIndex(db, 'inbound_raw', 'by_message', ['message_id'])
  await createTable(db, 'participants', [
    [OF_MESSAGE, 'message_id'],
    [TEXT, 'address', 'name', 'created_at'],
    [KEY_OF, 'message_id', 'address'],
  ]).execute()
  await createTable(db, 'undeliverable', [
    [KEY, 'address_hash'],
    [TEXT, 'reported_at'],
  ]).execute()
  // Those of one letter, for a report that it was not delivered.
  await sql`create index mail_ids_by_entry on mail_ids (entry_id)`.execute(db)
}
