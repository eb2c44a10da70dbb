import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import type { Config } from '../config.ts'
import { lockFolder } from '../database/folder-lock.ts'
import { isMigration, lockMigrations, migrate } from '../database/migrate.ts'
import { findDatabaseFiles, removeDatabaseFiles, sqliteFile } from '../database/open.ts'
import { sqliteDialect } from '../database/sqlite/dialect.ts'
import type { Database, Tables } from '../database/tables.ts'
import { systemClock } from '../platform/clock.ts'
import { type BackupFile, BrokenBackup, moveFile } from './backup-file.ts'
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
  const restoring: Restoring<T> = {
    backup,
    async finish(db) {
      await migrate(db)
      return await finish(db)
    },
    signal,
  }
  return target.databaseUrl
    ? await restorePostgres(restoring, target.databaseUrl)
    : await restoreSqlite(restoring, target)
}

interface Restoring<T> {
  readonly backup: BackupFile
  readonly finish: (db: Database) => Promise<T>
  readonly signal: AbortSignal | undefined
}

/** No server starts on the folder, and no other restore writes to it, before this one has ended. */
async function restoreSqlite<T>(restoring: Restoring<T>, { dataDir }: Target): Promise<T> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockFolder(dataDir, systemClock)
  try {
    return await fillFile(restoring, sqliteFile({ dataDir }))
  } finally {
    lock.release()
  }
}

/** Writes a temporary file next to the database, and moves it when it is complete. */
async function fillFile<T>({ backup, finish, signal }: Restoring<T>, file: string): Promise<T> {
  const existing = findDatabaseFiles(file)
  if (existing.length > 0)
    throw new Error(
      `There is an installation already, or a part of one: ${existing.join(', ')}. Move all of these away first, together: SQLite reads them as one database.`,
    )
  const unready = `${file}.restoring`
  await removeDatabaseFiles(unready)
  try {
    await backup.extractTo(createWriteStream(unready, { flags: 'wx', mode: 0o600, flush: true }), signal)
    assertSound(unready)
    const db = new Kysely<Tables>({ dialect: sqliteDialect(unready) })
    const result = await finish(db).finally(() => db.destroy())
    assertWhole(unready)
    signal?.throwIfAborted()
    await moveFile(unready, file)
    return result
  } finally {
    await removeDatabaseFiles(unready)
  }
}

/** @throws when changes are not in the file but in the log beside it, which SQLite removes once it has moved them */
function assertWhole(file: string) {
  const left = findDatabaseFiles(file).filter(path => path !== file)
  if (left.length > 0)
    throw new Error(
      `The restored database is not complete: SQLite has left ${left.join(', ')}. Close every other program that reads this folder, check that the disk is not full, and restore again.`,
    )
}

/** @throws when the database was damaged before it was backed up */
function assertSound(file: string) {
  using db = new DatabaseSync(file)
  const found = db.prepare('pragma quick_check(1)').get()?.quick_check
  if (found !== 'ok') throw new BrokenBackup(`The database was damaged when it was backed up: ${found}`)
}

async function restorePostgres<T>(restoring: Restoring<T>, databaseUrl: string): Promise<T> {
  const { postgresDialect } = await import('../database/postgres/dialect.ts')
  await using db = new Kysely<Tables>({ dialect: postgresDialect(databaseUrl, 'patient') })
  return await db.connection().execute(connection => fillDatabase(restoring, connection, databaseUrl))
}

/** Holds a lock as long as the connection is open, so that no server starts on what is not ready. */
async function fillDatabase<T>(
  { backup, finish, signal }: Restoring<T>,
  db: Database,
  databaseUrl: string,
): Promise<T> {
  await lockMigrations(db)
  const [table] = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (table) throw new Error(`There is an installation already: the database has the table ${table.name}`)
  // One transaction: when it fails it has made nothing, and any table that is there is somebody else's.
  await restoreDump(backup, databaseUrl, signal)
  try {
    return await finish(db)
  } catch (error) {
    await dropRestored(db)
    throw error
  }
}

/**
 * Tables and functions of the transactions that wrote to the list of migrations, which are those of `pg_restore` and
 * `migrate`. An extension stays, as it is made only where it is missing.
 */
async function dropRestored(db: Database) {
  const { rows } = await sql<{ statement: string }>`
    select 'drop table ' || string_agg(oid::regclass::text, ', ') as statement from pg_class
    where relkind = 'r' and xmin in (select xmin from kysely_migration)
    union all
    select 'drop function ' || oid::regprocedure::text from pg_proc
    where xmin in (select xmin from kysely_migration)
      and oid not in (select objid from pg_depend where classid = 'pg_proc'::regclass and deptype = 'e')`.execute(
    db,
  )
  for (const { statement } of rows) await sql.raw(statement).execute(db)
}
