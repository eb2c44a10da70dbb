import { createReadStream, existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Config } from '../config.ts'
import { removeDatabaseFiles, sqliteFile } from '../database/open.ts'
import { vacuumOnce } from '../database/sqlite/vacuum.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import type { NamedKey } from '../platform/keys.ts'
import { hasCode, writeBackupFile } from './backup-file.ts'
import { dump, readMigration } from './postgres-dump.ts'
import { LAST_MIGRATION, type Progress } from './row-snapshot.ts'

/** Pages of 4 KB that are copied before an interruption is noticed. */
const PAGES_AT_ONCE = 2000

interface Dependencies {
  readonly key: NamedKey
  readonly clock: Clock
  readonly progress: Progress
  readonly signal?: AbortSignal
}

/**
 * Writes a consistent copy of the database into one signed file, while others keep writing to the database. The file is
 * empty until it is complete.
 * @throws when the file exists
 */
export async function backUp(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  file: string,
  dependencies: Dependencies,
): Promise<void> {
  const { databaseUrl } = config
  await claim(file)
  try {
    if (databaseUrl) await backUpPostgres(databaseUrl, file, dependencies)
    else await backUpSqlite(sqliteFile(config), file, dependencies)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/** Before anything else, so that two backups to one file do not write to the same temporary files. */
async function claim(file: string) {
  try {
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    if (hasCode(error, 'EEXIST'))
      throw new Error(
        `${file} exists already: it is another backup, or one that is being written right now. Choose another name. If it is empty and no backup is running, delete it.`,
      )
    if (hasCode(error, 'ENOENT'))
      throw new Error(`The folder ${dirname(file)} does not exist. Create it, then try again.`)
    throw error
  }
}

async function backUpPostgres(databaseUrl: string, file: string, { key, clock, signal }: Dependencies) {
  const header = {
    engine: 'PostgreSQL' as const,
    migration: await readMigration(databaseUrl),
    createdAt: isoAfter(clock),
  }
  await writeBackupFile(file, key, header, dump(databaseUrl, signal), signal)
}

/** The copy is beside the backup until that is written. */
async function backUpSqlite(source: string, file: string, { key, clock, progress, signal }: Dependencies) {
  if (!existsSync(source)) throw new Error(`There is no installation: ${source} does not exist`)
  const copy = `${file}.copy`
  await removeDatabaseFiles(copy)
  try {
    const createdAt = isoAfter(clock)
    const migration = await copySqlite(source, copy, progress, signal)
    // Free space of a database that was written by an earlier version still holds what was deleted.
    await vacuumOnce(copy, () => {})
    const header = { engine: 'SQLite' as const, migration, createdAt }
    await writeBackupFile(file, key, header, createReadStream(copy, { highWaterMark: 1 << 20 }), signal)
  } finally {
    await removeDatabaseFiles(copy)
  }
}

/** @returns the last migration of the database */
async function copySqlite(source: string, copy: string, progress: Progress, signal?: AbortSignal) {
  // SQLite gives its other files the permissions of this one.
  await (await open(copy, 'wx', 0o600)).close()
  using db = new DatabaseSync(source, { readOnly: true })
  // The read transaction keeps one state of the database, or each change by others would start the copy again.
  db.exec('pragma busy_timeout = 5000; begin')
  const migration = String(db.prepare(LAST_MIGRATION).get()?.name)
  await backup(db, copy, {
    rate: PAGES_AT_ONCE,
    progress({ totalPages, remainingPages }) {
      signal?.throwIfAborted()
      progress('pages copied', totalPages - remainingPages)
    },
  })
  return migration
}

/**
 * Locks a SQLite installation while it moves: what others wrote meanwhile would be lost.
 * @throws when there is none, or when Landfall runs on it
 */
export function lockSqlite(file: string): { release(): void } {
  if (!existsSync(file)) throw new Error(`There is no installation on SQLite: ${file} does not exist`)
  const db = new DatabaseSync(file)
  try {
    // Only the sole user of a file can leave WAL mode, so this fails while another process has it open.
    db.exec('pragma journal_mode = delete')
    db.exec('begin immediate')
  } catch (error) {
    db.close()
    throw new Error('Landfall is running. Stop it first.', { cause: error })
  }
  return { release: () => db.close() }
}
