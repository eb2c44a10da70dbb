import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fill } from './lists-rows.ts'
import { clearAtExit, startLandfall } from './process.ts'
import { printTable } from './table.ts'

const MESSAGES = 100_000
/** Seconds, with the start of the command, while a server runs. */
const MAX_BACKUP = 5
/** Seconds, with the start of the command. */
const MAX_RESTORE = 30

const run = promisify(execFile)

/** A backup of a hundred thousand enquiries on SQLite while Landfall runs, and its restore. */
export async function measure(): Promise<boolean> {
  process.stderr.write('Filling …\n')
  const folder = await mkdtemp(join(tmpdir(), 'landfall-backup-bench-'))
  clearAtExit(folder)
  const filled = await fill(null, { messages: MESSAGES, logs: MESSAGES })
  const server = await startLandfall(filled.env)
  const file = join(folder, 'landfall.backup')
  const backup = await timeCommand('backup', file, filled.env)
  await server.close()
  const restore = await timeCommand('restore', file, { ...filled.env, DATA_DIR: join(folder, 'restored') })
  await filled.remove()
  printTable([
    ['', 'seconds', 'at most'],
    ['backup', backup.toFixed(1), String(MAX_BACKUP)],
    ['restore', restore.toFixed(1), String(MAX_RESTORE)],
  ])
  return backup <= MAX_BACKUP && restore <= MAX_RESTORE
}

async function timeCommand(name: string, file: string, env: NodeJS.ProcessEnv): Promise<number> {
  const begin = performance.now()
  await run(process.execPath, [`scripts/${name}.ts`, file], { env: { ...process.env, ...env } })
  return (performance.now() - begin) / 1000
}
