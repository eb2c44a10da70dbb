import '../src/platform/umask.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lockSqlite } from '../src/backup/back-up.ts'
import { moveFile } from '../src/backup/backup-file.ts'
import { copyRows } from '../src/backup/copy-rows.ts'
import { openSqlite } from '../src/backup/row-snapshot.ts'
import { readConfig } from '../src/config.ts'
import { lockFolder } from '../src/database/folder-lock.ts'
import { systemClock } from '../src/platform/clock.ts'
import { doLongWork } from './long-work.ts'

/**
 * Moves a SQLite installation to PostgreSQL, and compares all rows afterwards: `npm run copy -- --to postgres://…`, while Landfall is
 * stopped. The SQLite file gets another name, so that nobody continues to use it by accident.
 */
const { values } = parseArgs({ options: { to: { type: 'string' } } })

await doLongWork(async ({ progress, signal }) => {
  const { dataDir } = readConfig({ ...process.env, DATABASE_URL: undefined })
  // Read as at the start, so that a wrong value gives the same error.
  const { databaseUrl } = readConfig({ DATABASE_URL: values.to, SECRET_KEY: 'x'.repeat(32) })
  if (!databaseUrl)
    throw new Error('Name a database: npm run copy -- --to postgres://user:password@host/database')
  const file = join(dataDir, 'landfall.sqlite')
  const moved = `${file}.moved`
  const lock = lockSqlite(file)
  if (existsSync(moved))
    throw new Error(`${moved} exists already, from an earlier move. Give it another name, then try again.`)
  // Until the file has its other name, no server starts on it.
  const folderLock = lockFolder(dataDir, systemClock)
  const source = openSqlite(file)
  const rows = await copyRows(source, databaseUrl, progress, signal).finally(async () => {
    await source.close()
    lock.release()
  })
  await moveFile(file, moved)
  folderLock.release()
  return [
    `${rows.toLocaleString('en-AU')} rows were copied and compared. ${file} is now called ${moved}.`,
    `Start Landfall with this DATABASE_URL and the SECRET_KEY from ${dataDir}/secret.key.`,
  ].join('\n')
})
