import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import { isPostgres } from './engine.ts'
import type { Database } from './tables.ts'

/** What a clock is compared with. */
export interface OtherClocks {
  /** Milliseconds since a fixed moment; nobody can set it. */
  uptime(): number
  /** The clock of the database server; null on SQLite, which has none of its own. */
  readDatabaseTime(db: Database): Promise<Date | null>
}

export const otherClocks: OtherClocks = { uptime: () => performance.now(), readDatabaseTime }

/**
 * One clock for all nodes with the same database, for times that one node writes and another reads within seconds: leases,
 * and how long something can be undone. It is that of the database server, and on SQLite that of the only node.
 */
export interface SharedClock {
  readonly now: Clock
  /** Asks the database, so that `now` need not. */
  synchronise(): Promise<void>
}

export function createSharedClock(
  db: Database,
  clock: Clock,
  { uptime, readDatabaseTime } = otherClocks,
): SharedClock {
  let started: number | null = null
  return {
    // Whatever becomes of this node's own clock meanwhile.
    now: () => (started === null ? clock() : new Date(started + uptime())),
    async synchronise() {
      const asked = uptime()
      const time = await readDatabaseTime(db)
      if (time) started = time.getTime() - (asked + uptime()) / 2
    },
  }
}

async function readDatabaseTime(db: Database): Promise<Date | null> {
  if (!isPostgres(db)) return null
  const time = sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
  const { rows } = await time.execute(db)
  return rows[0] ? new Date(rows[0].now) : null
}
