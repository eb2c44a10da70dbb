import { PostgresAdapter } from 'kysely'
import type { Database } from './tables.ts'

/** For the few statements that the engines spell differently. */
export function isPostgres(db: Pick<Database, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
