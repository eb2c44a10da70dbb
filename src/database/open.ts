import { join } from 'node:path'
import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely'
import { seconds } from '../clock.ts'
import type { Config } from '../config.ts'
import { migrate } from './migrate.ts'
import { namingPool } from './naming-pool.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Database, Tables } from './tables.ts'

/** Opens the engine that the configuration names and brings its schema up to date. */
export async function openDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Database> {
  const dialect = config.databaseUrl
    ? await postgresDialect(config.databaseUrl)
    : sqliteDialect(join(config.dataDir, 'landfall.sqlite'))
  const db: Database = new Kysely<Tables>({ dialect })
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

/** For the few statements that the engines spell differently. */
export function isPostgres(db: Pick<Database, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Loaded only when asked for: an installation on SQLite never reads the driver. */
async function postgresDialect(connectionString: string) {
  const { Pool } = await import('pg')
  const pool = new Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: seconds(2),
    statement_timeout: seconds(5),
  })
  // An idle connection that the server closes is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  return new PostgresDialect({ pool: namingPool(pool) })
}
