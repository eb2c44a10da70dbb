import { openArchive } from '../src/backup/archive.ts'
import { restore } from '../src/backup/restore.ts'
import { readConfig } from '../src/config.ts'
import { doLongWork } from './long-work.ts'

/** Makes the database of a new installation from a backup, and compares the two: `npm run restore -- FILE`. */
const [file] = process.argv.slice(2)

await doLongWork(async ({ progress, signal }) => {
  if (!file) throw new Error('Say what from: npm run restore -- landfall.backup')
  const archive = await openArchive(file)
  const held = await restore(archive, readConfig(process.env), progress, signal).finally(() =>
    archive.close(),
  )
  const rows = [...held.values()].reduce((sum, holding) => sum + holding.rows, 0)
  return `${rows.toLocaleString('en-AU')} rows were restored, and compared with the backup. Start Landfall with the secret key of then.`
})
