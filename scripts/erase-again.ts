import '../src/platform/umask.ts'
import { parseArgs } from 'node:util'
import { closeRestored } from '../src/backup/after-restore.ts'
import { readConfig } from '../src/config.ts'
import { lockFolder } from '../src/database/folder-lock.ts'
import { openDatabase } from '../src/database/open.ts'
import { eraseAgain } from '../src/erasure/erase-again.ts'
import { systemClock } from '../src/platform/clock.ts'
import { findKeys } from '../src/platform/keys.ts'
import { describeAccess, describeErased, readReplaced } from './erased-since.ts'
import { doLongWork } from './long-work.ts'

/**
 * Erases again what was erased before, in a database that was restored without `npm run restore`, such as by PostgreSQL's
 * own recovery, and ends access as a restore does: `npm run erase:again -- --replaces FOLDER_OR_URL`, before Landfall is started on it.
 */
await doLongWork(async () => {
  const { values } = parseArgs({
    options: { replaces: { type: 'string' }, 'keep-erased': { type: 'boolean', default: false } },
  })
  const config = readConfig(process.env)
  const { erased: since, last } = await readReplaced(values.replaces)
  const lock = config.databaseUrl ? null : lockFolder(config.dataDir, systemClock)
  const db = await openDatabase(config)
  const options = { since, keys: findKeys(config).erased, isForced: values['keep-erased'] }
  try {
    const erased = await eraseAgain(db, options)
    const access = await closeRestored(db, systemClock, last)
    return [...describeErased(erased, values.replaces), ...describeAccess(access)].join('\n')
  } finally {
    await db.destroy()
    lock?.release()
  }
})
