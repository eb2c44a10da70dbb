import { createIndex, createTable, type EarlierDatabase, KEY, OF_MESSAGE, TEXT } from './define.ts'

/** How a visitor comes to the page of their enquiry: by links in emails, and past a code that was emailed. */
export async function addVisitorPages(db: EarlierDatabase): Promise<void> {
  await createTable(db, 'visitor_tokens', [
    [KEY, 'token_hash'],
    [OF_MESSAGE, 'message_id'],
    [TEXT, 'kind', 'created_at'],
  ]).execute()
  await createIndex(db, 'visitor_tokens', 'by_message', ['message_id'])
  await createTable(db, 'visitor_codes', [
    [KEY, 'asker'],
    ['text references "messages" ("id") on delete cascade', 'message_id'],
    [TEXT, 'code_hash', 'created_at'],
    ['integer not null', 'tries'],
  ]).execute()
  await createTable(db, 'visitor_requests', [
    [KEY, 'id'],
    [TEXT, 'kind', 'reference', 'email', 'created_at'],
  ]).execute()
}
