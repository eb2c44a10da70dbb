import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Keeps everybody else from a SQLite installation while it moves: what was written to it meanwhile would stay behind.
 * @throws when there is none, or when Landfall runs on it
 */
export function lockSqlite(file: string): { release(): void } {
  if (!existsSync(file)) throw new Error(`There is no installation on SQLite: ${file} does not exist`)
  const db = new DatabaseSync(file)
  try {
    // Only who is alone with a file can take it out of WAL mode, in which readers see a file that others have open.
    db.exec('pragma journal_mode = delete')
    db.exec('begin immediate')
  } catch (error) {
    db.close()
    throw new Error('Landfall is running. Stop it first.', { cause: error })
  }
  return { release: () => db.close() }
}
