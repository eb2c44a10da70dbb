import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../../platform/clock.ts'
import { BUSY_TIMEOUT } from './group-commit.ts'

/** The `user_version` of a file in which everything was written or rewritten with `secure_delete`. */
export const SECURE_DELETE = 1
const TRUNCATE_TIMEOUT = seconds(5)
const RETRY_DELAY = seconds(0.1)

/**
 * A database of a version that did not overwrite what it deleted still has the text in its free space: it is rewritten
 * once. Do this before the server listens. @param say hears of it before it begins @returns whether it was needed
 */
export async function vacuumOnce(file: string, say: (line: string) => void): Promise<boolean> {
  if (!existsSync(file) || isVacuumed(file)) return false
  say('Rewriting the database once, so that nothing deleted stays in its file …')
  await vacuum(file)
  return true
}

/**
 * Rewrites the whole database, which leaves no free space in it, and empties the write-ahead log.
 * @returns whether the log is empty: while another process reads, what was deleted may stay in it a little longer
 */
export async function vacuum(file: string): Promise<boolean> {
  // A connection of its own: its copy goes to a file of the system's, and not into memory.
  using db = new DatabaseSync(file)
  db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}`)
  db.exec('pragma secure_delete = on')
  db.exec('vacuum')
  db.exec(`pragma user_version = ${SECURE_DELETE}`)
  return await truncateWal(db)
}

function isVacuumed(file: string): boolean {
  using db = new DatabaseSync(file)
  db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}`)
  return db.prepare('pragma user_version').get()?.user_version === SECURE_DELETE
}

/** The answer has three columns; `busy` is not 0 when somebody else kept the log from being emptied. */
async function truncateWal(db: DatabaseSync): Promise<boolean> {
  const deadline = performance.now() + TRUNCATE_TIMEOUT
  // SQLite's own waiting would keep other processes from writing meanwhile.
  db.exec('pragma busy_timeout = 0')
  while (db.prepare('pragma wal_checkpoint(truncate)').get()?.busy !== 0) {
    if (performance.now() > deadline) return false
    await sleep(RETRY_DELAY)
  }
  return true
}
