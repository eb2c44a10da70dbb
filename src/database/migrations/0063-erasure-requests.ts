import { createTable, type EarlierDatabase, TEXT } from './define.ts'

/** Visitors who ask to be erased once somebody has answered them. */
export async function addErasureRequests(db: EarlierDatabase): Promise<void> {
  await createTable(db, 'erasure_requests', [
    ['text primary key references "messages" ("id") on delete cascade', 'message_id'],
    [TEXT, 'requested_at'],
    ['text', 'refused_at', 'reason'],
  ]).execute()
}
