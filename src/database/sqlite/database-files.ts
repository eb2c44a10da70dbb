import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { ConfigError } from '../../config.ts'

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
