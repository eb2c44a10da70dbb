import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Dialect, Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { sqliteDialect } from '../database/sqlite/dialect.ts'
import type { Tables } from '../database/tables.ts'
import type { Progress } from './archive.ts'
import { importRows, verifyCopy } from './import-rows.ts'
import { openSnapshot, openSqlite } from './snapshot.ts'
import type { Checksum, Source } from './source.ts'

type Target = Pick<Config, 'dataDir' | 'databaseUrl'>

/**
 * Creates a new installation's database from `source`, atomically, and verifies it.
 * @throws when a database exists @returns the checksums by table
 */
export async function restore(
  source: Source,
  target: Target,
  progress: Progress,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Checksum>> {
  if (target.databaseUrl) return await restorePostgres(source, target, target.databaseUrl, progress, signal)
  return await restoreSqlite(source, target.dataDir, progress, signal)
}

async function restorePostgres(
  source: Source,
  target: Target,
  databaseUrl: string,
  progress: Progress,
  signal: AbortSignal | undefined,
) {
  const { postgresDialect } = await import('../database/postgres/dialect.ts')
  const checksums = await fillBy(postgresDialect(databaseUrl, 'patient'), source, progress, signal)
  const copy = await openSnapshot(target)
  // Not interruptible: the rows are committed.
  await verifyCopy(copy, checksums, progress).finally(() => copy.close())
  return checksums
}

/** Writes a temporary file next to the database, and renames it after it is verified. */
async function restoreSqlite(
  source: Source,
  dataDir: string,
  progress: Progress,
  signal: AbortSignal | undefined,
) {
  const file = join(dataDir, 'landfall.sqlite')
  if (existsSync(file)) throw new Error(`There is an installation already: ${file}. Move it away first.`)
  await mkdir(dataDir, { recursive: true })
  const unready = `${file}.restoring`
  const removeUnready = async () => {
    for (const part of ['', '-wal', '-shm']) await rm(unready + part, { force: true })
  }
  await removeUnready()
  try {
    const checksums = await fillBy(sqliteDialect(unready), source, progress, signal)
    const copy = openSqlite(unready)
    await verifyCopy(copy, checksums, progress, signal).finally(() => copy.close())
    await rename(unready, file)
    return checksums
  } finally {
    await removeUnready()
  }
}

async function fillBy(dialect: Dialect, source: Source, progress: Progress, signal: AbortSignal | undefined) {
  const db = new Kysely<Tables>({ dialect })
  return await importRows(db, source, progress, signal).finally(() => db.destroy())
}
