import { sql } from 'kysely'
import { isPostgres } from './engine.ts'
import type { Database } from './tables.ts'

/** Any number that no other advisory lock uses. */
const CONVERSATIONS_LOCK = 7_364_820_154

/**
 * What waits for the locks of more than one message, or merges, unmerges or deletes any, calls this before it locks the first: one at a
 * time, so that two never wait for each other, and nothing is merged or unmerged in between. A change of one message needs
 * only the lock of its row. SQLite has one writer.
 */
export async function lockConversations(transaction: Database): Promise<void> {
  if (isPostgres(transaction))
    await sql`select pg_advisory_xact_lock(${CONVERSATIONS_LOCK})`.execute(transaction)
}
