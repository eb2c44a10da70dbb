import { createIndex, createTable, type EarlierDatabase, KEY_OF, OF_MESSAGE, TEXT } from './define.ts'

/** Which drafts are sent at which time, and how. */
export async function addScheduledReplies(db: EarlierDatabase): Promise<void> {
  await createTable(db, 'scheduled_replies', [
    [OF_MESSAGE, 'message_id'],
    // Also of a user who is deleted: the reply must not disappear with them.
    [TEXT, 'user_id'],
    [TEXT, 'sends_at'],
    [TEXT, 'body_hash'],
    ['text', 'cc'],
    [TEXT, 'attachments'],
    ['integer not null', 'last_seq'],
    ['text', 'status_after'],
    ['text', 'held_because'],
    [TEXT, 'created_at'],
    [KEY_OF, 'message_id', 'user_id'],
  ]).execute()
  await createIndex(db, 'scheduled_replies', 'by_time', ['sends_at'])
  await createIndex(db, 'scheduled_replies', 'by_user', ['user_id'])
}
