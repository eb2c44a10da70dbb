import {
  addColumns,
  createIndex,
  createTable,
  type EarlierDatabase,
  KEY_OF,
  OF_MESSAGE,
  OF_USER,
  TEXT,
} from './define.ts'

/** What colleagues have left for somebody to look at, until they do, and whether an email says it when they do not. */
export async function addNotices(db: EarlierDatabase): Promise<void> {
  await createTable(db, 'notices', [
    [OF_USER, 'user_id'],
    [OF_MESSAGE, 'message_id'],
    [TEXT, 'kind'],
    ['text', 'by_id'],
    [TEXT, 'created_at'],
    ['text', 'emailed_at'],
    [KEY_OF, 'user_id', 'message_id', 'kind'],
  ]).execute()
  await createIndex(db, 'notices', 'by_message', ['message_id'])
  await addColumns(db, 'users', [['integer not null default 1', 'notice_emails']])
}
