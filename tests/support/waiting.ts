import { sql } from 'kysely'
import { isPostgres } from '../../src/database/engine.ts'
import type { Database } from '../../src/database/tables.ts'
import { until } from './until.ts'

/** Waits until so many transactions wait for a lock. On SQLite nobody is asked: it has one writer, and the others queue. */
export async function untilWaiting(db: Database, count: number): Promise<void> {
  const waiting = sql<{ count: string }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  if (isPostgres(db)) await until(async () => Number((await waiting.execute(db)).rows[0]?.count) >= count)
}
