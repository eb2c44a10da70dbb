import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { describeError, type Log } from '../../log/logger.ts'

/** Index pages that one step rewrites. It takes about two milliseconds, during which other writes wait. */
const STEP = 64
/** Milliseconds between two steps, so that visitors' requests come first. */
const PAUSE = 10

/**
 * Merges segments of SQLite's full-text index. Each transaction adds a segment, and a search reads every segment. FTS5
 * merges segments of one size when there are four of them; this merges two, in steps, until there is one of each size.
 * Logs an error instead of throwing it, since the next run tries again. PostgreSQL maintains its index by itself.
 */
export async function optimizeSearchIndex(
  { db, log }: { readonly db: Database; readonly log: Log },
  isStopped = () => false,
): Promise<void> {
  if (isPostgres(db)) return
  try {
    await sql`insert into message_search (message_search, rank) values ('usermerge', 2)`.execute(db)
    while (!isStopped() && (await mergePages(db))) await pause(PAUSE)
  } catch (error) {
    log('warning', 'API', 'Search index could not be optimised', describeError(error))
  }
}

/** @returns whether there may be more to merge: then FTS5 has changed more rows than the one the statement inserts. */
async function mergePages(db: Database): Promise<boolean> {
  return await inTransaction(db, async transaction => {
    const before = await countChanges(transaction)
    await sql`insert into message_search (message_search, rank) values ('merge', ${STEP})`.execute(
      transaction,
    )
    return (await countChanges(transaction)) - before > 1
  })
}

async function countChanges(db: Database): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db)
  return rows[0]?.changes ?? 0
}
