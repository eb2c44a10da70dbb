import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { describeError, type Log } from '../../log/logger.ts'

/** Pages of the index that one step writes anew: two milliseconds, for which everything else waits. */
const STEP = 64
/** Milliseconds between two steps, so that visitors come first. */
const PAUSE = 10

/**
 * Each transaction leaves the words of its messages as a segment of SQLite's index, and a search asks every segment. FTS5
 * merges four of a size when they come together; this merges two, in steps, until there is one of each size. Never
 * fails: what could not be merged now is merged in the next round. PostgreSQL sorts its index by itself.
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
    log('warning', 'API', 'The index of messages could not be merged', describeError(error))
  }
}

/** @returns whether there may be more to merge: FTS5 tells it by what it changed beside the statement's own row. */
async function mergePages(db: Database): Promise<boolean> {
  return await db.transaction().execute(async transaction => {
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
