import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import { isPostgres } from './engine.ts'
import type { Database } from './tables.ts'

/** What a clock is compared with. */
export const otherClocks = {
  /** Milliseconds since a fixed moment; nobody can set it. */
  uptime: () => performance.now(),
  /** The clock of the database server; null on SQLite, which has none of its own. */
  async readDatabaseTime(db: Database): Promise<Date | null> {
    if (!isPostgres(db)) return null
    const time = sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
    const { rows } = await time.execute(db)
    return rows[0] ? new Date(rows[0].now) : null
  },
}

export type SharedClock = ReturnType<typeof createSharedClock>

/**
 * One clock for all nodes with the same database, for times that one node writes and another reads within seconds: leases,
 * and how long something can be undone. It is that of the database server, and on SQLite that of the only node.
 */
export function createSharedClock(db: Database, clock: Clock, { uptime, readDatabaseTime } = otherClocks) {
  let started: number | null = null
  return {
    // Whatever becomes of this node's own clock meanwhile.
    now: (): Date => (started === null ? clock() : new Date(started + uptime())),
    /** Asks the database, so that `now` need not. */
    async synchronise() {
      const asked = uptime()
      const time = await readDatabaseTime(db)
      if (time) started = time.getTime() - (asked + uptime()) / 2
    },
  }
}
