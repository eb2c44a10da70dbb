import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Dialect, Kysely, sql } from 'kysely'
import { type Config, ConfigError } from '../config.ts'
import { migrate } from './migrate.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Database, Tables } from './tables.ts'

/** Opens the engine that the configuration names and brings its schema up to date. */
export async function openDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Database> {
  const { databaseUrl } = config
  if (!databaseUrl) {
    throwOrphaned(sqliteFile(config))
    return await migrated(sqliteDialect(sqliteFile(config)))
  }
  const { postgresDialect } = await import('./postgres/dialect.ts')
  // On a connection of its own, which may wait for another node's migration as long as that takes.
  await (await migrated(postgresDialect(databaseUrl, 'patient'))).destroy()
  const db: Database = new Kysely<Tables>({ dialect: postgresDialect(databaseUrl, 'quick') })
  return await orClosed(db, assertDurable)
}

export function sqliteFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'landfall.sqlite')
}

async function migrated(dialect: Dialect): Promise<Database> {
  return await orClosed(new Kysely<Tables>({ dialect }), migrate)
}

async function orClosed(db: Database, prepare: (db: Database) => Promise<void>): Promise<Database> {
  try {
    await prepare(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

/** An answered request must be on disk. @throws {ConfigError} for a server that confirms a commit before it is on disk. */
async function assertDurable(db: Database) {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await sql<Record<string, string>>`show ${sql.ref(name)}`.execute(db)
    const value = rows[0]?.[name]
    const isDurable = value === 'on' || (name === 'synchronous_commit' && value?.startsWith('remote_'))
    if (!isDurable)
      throw new ConfigError(
        `DATABASE_URL names a PostgreSQL server with ${name} = ${value}: it would lose what was answered. Set ${name} = on`,
      )
  }
}

/** Of the database itself, its write-ahead log with an index, and its rollback journal. */
const ENDINGS = ['', '-wal', '-shm', '-journal']

/** Those that exist of a database: SQLite reads all of them as one, whichever database the others were written for. */
export function findDatabaseFiles(file: string): string[] {
  return ENDINGS.map(ending => file + ending).filter(path => existsSync(path))
}

export async function removeDatabaseFiles(file: string): Promise<void> {
  for (const ending of ENDINGS) await rm(file + ending, { force: true })
}

/**
 * SQLite deletes what is left of a database that was moved away without its log, and the newest changes with it.
 * @throws {ConfigError} naming what is left
 */
export function throwOrphaned(file: string): void {
  const left = findDatabaseFiles(file)
  if (left.length === 0 || left.includes(file)) return
  throw new ConfigError(
    `${file} is missing, but files that belong to it are there: ${left.join(', ')}. They may hold its newest changes. If you moved the database, move them beside it and give them its new name, with their old endings. If nobody needs that database, delete them.`,
  )
}
