import '../src/umask.ts'
import { rm } from 'node:fs/promises'
import { openArchive, type Progress, writeArchive } from '../src/backup/archive.ts'
import { tablesIn } from '../src/backup/archived-tables.ts'
import { openSnapshot } from '../src/backup/snapshot.ts'
import type { Source } from '../src/backup/source.ts'
import { readConfig } from '../src/config.ts'
import { doLongWork } from './long-work.ts'

/**
 * Writes the whole database into one file while Landfall runs, and reads the file back: `npm run backup -- FILE`.
 * Restoring it also needs the secret key, which the file does not contain.
 */
const [file] = process.argv.slice(2)

await doLongWork(async ({ progress, signal }) => {
  if (!file) throw new Error('Name a file: npm run backup -- landfall.backup')
  const config = readConfig(process.env)
  const snapshot = await openSnapshot(config)
  await writeArchive(snapshot, file, progress, signal).finally(() => snapshot.close())
  const archive = await openArchive(file)
  const rows = await readThrough(archive, progress, signal).catch(async error => {
    // Otherwise somebody may take it for a backup.
    await rm(file, { force: true })
    throw error
  })
  const key = config.secretKey ? 'SECRET_KEY' : `${config.dataDir}/secret.key`
  return `${file} holds ${rows.toLocaleString('en-AU')} rows, and was read back. Keep ${key} in another safe place: secret settings cannot be decrypted without it.`
})

/** @throws when the file is not what was written @returns how many rows it holds */
async function readThrough(archive: Source, progress: Progress, signal: AbortSignal): Promise<number> {
  let all = 0
  for (const table of tablesIn(archive.migration)) {
    let rows = 0
    for await (const batch of archive.rows(table)) {
      signal.throwIfAborted()
      rows += batch.length
      progress(`${table.name}, read back`, rows)
    }
    all += rows
  }
  await archive.close()
  return all
}
