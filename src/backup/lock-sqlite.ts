import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

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
