import '../src/umask.ts'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lockSqlite } from '../src/backup/lock-sqlite.ts'
import { restore } from '../src/backup/restore.ts'
import { openSqlite } from '../src/backup/snapshot.ts'
import { readConfig } from '../src/config.ts'
import { doLongWork } from './long-work.ts'

/**
 * Moves a SQLite installation to PostgreSQL, whole and compared: `npm run copy -- --to postgres://…`, while Landfall is
 * stopped. The SQLite file gets another name, so that nobody goes on with it by accident.
 */
const { values } = parseArgs({ options: { to: { type: 'string' } } })

await doLongWork(async ({ progress, signal }) => {
  const { dataDir } = readConfig({ ...process.env, DATABASE_URL: undefined })
  // Read as the start would read it, so that a mistake is told in the same words.
  const { databaseUrl } = readConfig({ DATABASE_URL: values.to, SECRET_KEY: 'x'.repeat(32) })
  if (!databaseUrl)
    throw new Error('Say where to: npm run copy -- --to postgres://user:password@host/database')
  const file = join(dataDir, 'landfall.sqlite')
  const hold = lockSqlite(file)
  const source = openSqlite(file)
  const held = await restore(source, { dataDir, databaseUrl }, progress, signal).finally(async () => {
    await source.close()
    hold.release()
  })
  await rename(file, `${file}.moved`)
  const rows = [...held.values()].reduce((sum, holding) => sum + holding.rows, 0)
  return [
    `${rows.toLocaleString('en-AU')} rows were copied and compared. ${file} is now called ${file}.moved.`,
    `Start Landfall with DATABASE_URL as given here and SECRET_KEY as it stands in ${dataDir}/secret.key.`,
  ].join('\n')
})
