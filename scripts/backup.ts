import '../src/platform/umask.ts'
import { statSync } from 'node:fs'
import { backUp } from '../src/backup/back-up.ts'
import { readConfig } from '../src/config.ts'
import { systemClock } from '../src/platform/clock.ts'
import { openKeys } from '../src/platform/keys.ts'
import { doLongWork } from './long-work.ts'

/**
 * Writes the whole database into one signed file while Landfall runs, and reads the file back: `npm run backup -- FILE`.
 * Restoring it also needs the secret key, which the file does not contain.
 */
const [file] = process.argv.slice(2)

await doLongWork(async ({ progress, signal }) => {
  if (!file) throw new Error('Name a file: npm run backup -- landfall.backup')
  const config = readConfig(process.env)
  const [key] = openKeys(config).backups
  await backUp(config, file, { key, clock: systemClock, progress, signal })
  const megabytes = (statSync(file).size / 1e6).toFixed(1)
  const place = config.secretKey ? 'SECRET_KEY' : `${config.dataDir}/secret.key`
  return `${file} is complete: ${megabytes} MB, signed and read back. Keep ${place} in another safe place: without it, the backup cannot be restored.`
})
