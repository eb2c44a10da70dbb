import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import type { Config } from '../config.ts'
import { isMigration, migrate } from '../database/migrate.ts'
import { sqliteFile } from '../database/open.ts'
import { sqliteDialect } from '../database/sqlite/dialect.ts'
import type { Database, Tables } from '../database/tables.ts'
import { type BackupFile, BrokenBackup } from './backup-file.ts'
import { restoreDump } from './postgres-dump.ts'

type Target = Pick<Config, 'dataDir' | 'databaseUrl'>

/**
 * Makes the database of a new installation from a backup, whole or not at all, and brings its schema up to date.
 * @param finish changes the database before anybody can use it @throws when there is a database already
 */
export async function restore<T>(
  backup: BackupFile,
  target: Target,
  finish: (db: Database) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { engine, migration } = backup
  if (!isMigration(migration))
    throw new BrokenBackup(
      `The backup has the schema ${migration}, which this version does not know. Use the version that wrote it, or a later one.`,
    )
  if ((engine === 'PostgreSQL') !== (target.databaseUrl !== null))
    throw new Error(
      `The backup is of ${engine}. ${engine === 'SQLite' ? 'Restore it without DATABASE_URL, then move it with npm run copy' : 'Set DATABASE_URL to an empty database'}.`,
    )
  return target.databaseUrl
    ? await restorePostgres(backup, target.databaseUrl, finish, signal)
    : await restoreSqlite(backup, target, finish, signal)
}

/** Writes a temporary file next to the database, and renames it when it is complete. */
async function restoreSqlite<T>(
  backup: BackupFile,
  { dataDir }: Target,
  finish: (db: Database) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const file = sqliteFile({ dataDir })
  if (existsSync(file)) throw new Error(`There is an installation already: ${file}. Move it away first.`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const unready = `${file}.restoring`
  const removeUnready = async () => {
    for (const part of ['', '-wal', '-shm']) await rm(unready + part, { force: true })
  }
  await removeUnready()
  try {
    await backup.extractTo(createWriteStream(unready, { flags: 'wx', mode: 0o600, flush: true }), signal)
    assertSound(unready)
    const db = new Kysely<Tables>({ dialect: sqliteDialect(unready) })
    const result = await finishOn(db, finish).finally(() => db.destroy())
    signal?.throwIfAborted()
    await rename(unready, file)
    return result
  } finally {
    await removeUnready()
  }
}

/** @throws when the database was damaged before it was backed up */
function assertSound(file: string) {
  const db = new DatabaseSync(file)
  try {
    const found = db.prepare('pragma quick_check(1)').get()?.quick_check
    if (found !== 'ok') throw new BrokenBackup(`The database was damaged when it was backed up: ${found}`)
  } finally {
    db.close()
  }
}

async function restorePostgres<T>(
  backup: BackupFile,
  databaseUrl: string,
  finish: (db: Database) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const { postgresDialect } = await import('../database/postgres/dialect.ts')
  const db = new Kysely<Tables>({ dialect: postgresDialect(databaseUrl, 'patient') })
  try {
    const [table] = await namesOfTables(db)
    if (table) throw new Error(`There is an installation already: the database has the table ${table}`)
    try {
      await restoreDump(backup, databaseUrl, signal)
      return await finishOn(db, finish)
    } catch (error) {
      for (const name of await namesOfTables(db)) await sql`drop table ${sql.table(name)} cascade`.execute(db)
      throw error
    }
  } finally {
    await db.destroy()
  }
}

async function finishOn<T>(db: Database, finish: (db: Database) => Promise<T>): Promise<T> {
  await migrate(db)
  return await finish(db)
}

async function namesOfTables(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.map(({ name }) => name)
}
