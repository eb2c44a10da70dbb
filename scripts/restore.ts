import '../src/platform/umask.ts'
import { parseArgs } from 'node:util'
import { closeRestored } from '../src/backup/after-restore.ts'
import { openBackupFile } from '../src/backup/backup-file.ts'
import { restore } from '../src/backup/restore.ts'
import { readConfig } from '../src/config.ts'
import type { Database } from '../src/database/tables.ts'
import { eraseAgain } from '../src/erasure/erase-again.ts'
import { systemClock } from '../src/platform/clock.ts'
import { findKeys } from '../src/platform/keys.ts'
import { describeAccess, describeErased, readReplaced } from './erased-since.ts'
import { doLongWork } from './long-work.ts'

/**
 * Makes the database of a new installation from a backup, once its signature is verified: `npm run restore -- FILE`. With
 * `--replaces`, the data folder, file or address of the database before, what was erased there since is left out as well, and so is access that ended there.
 */
await doLongWork(async ({ signal }) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replaces: { type: 'string' }, 'keep-erased': { type: 'boolean', default: false } },
  })
  const [file] = positionals
  if (!file) throw new Error('Say what from: npm run restore -- landfall.backup')
  const config = readConfig(process.env)
  const keys = findKeys(config)
  const backup = await openBackupFile(file, keys.backups)
  const { erased: since, last } = await readReplaced(values.replaces)
  const options = {
    since,
    keys: keys.erased,
    isForced: values['keep-erased'],
    madeAt: backup.createdAt,
  }
  const finish = async (db: Database) => ({
    erased: await eraseAgain(db, options),
    access: await closeRestored(db, systemClock, last, backup.createdAt),
  })
  const { erased, access } = await restore(backup, config, finish, signal)
  return [
    `The backup of ${backup.createdAt} was restored, and its signature is right. Start Landfall with the secret key of then.`,
    ...describeErased(erased, values.replaces),
    ...describeAccess(access),
  ].join('\n')
})
