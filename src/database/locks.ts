import { sql } from 'kysely'
import { isPostgres } from './engine.ts'
import type { Database } from './tables.ts'

/** Every advisory lock of PostgreSQL, by what it serialises. Each has a number of its own. */
export const LOCKS = {
  /** Changes of the staff, because some checks depend on other rows: who is the last admin, whether an address is free. */
  staff: 7_364_820_151,
  /** Changes of what is published, because they depend on other rows: whether a path is free, which number is next. */
  content: 7_364_820_152,
  /** Rows that notify other nodes of a change: their ids have the order of the commits. */
  changes: 7_364_820_153,
  /**
   * Taken by work that locks several messages, or that merges, unmerges or deletes any. It takes this lock before that of
   * the first message, so that two never wait for each other, and nothing is merged or unmerged in between. A change of one
   * message needs only the lock of its row.
   */
  conversations: 7_364_820_154,
  /** The notices that are counted and collected for the digest. */
  digest: 7_364_820_155,
  /** The decisions about acknowledgements, so that two enquiries do not both get the only one. */
  acknowledgements: 7_364_820_156,
  /** Mails that come in, each of which is stored once. Before `conversations`. */
  mailIn: 7_364_820_157,
  /** The bytes of attachments, which several may share: none is deleted while another attachment begins to. The last to be taken. */
  blobs: 7_364_820_158,
} as const

/** Waits for a lock and holds it until the transaction ends. SQLite has one writer, so its transactions need none. */
export async function lock(transaction: Database, name: keyof typeof LOCKS): Promise<void> {
  if (isPostgres(transaction)) await sql`select pg_advisory_xact_lock(${LOCKS[name]})`.execute(transaction)
}
