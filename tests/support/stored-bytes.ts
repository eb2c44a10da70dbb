import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { TestApp } from './test-app.ts'

const run = promisify(execFile)

/**
 * Counts how often texts occur in the data of an installation, ignoring case: in the bytes of every file of the data
 * folder, and on PostgreSQL also in every row of every table.
 */
export async function countStored(
  { services }: Pick<TestApp, 'services'>,
  texts: readonly string[],
): Promise<number> {
  const inFiles = await countInFiles(services.config.dataDir, ...texts)
  return services.config.databaseUrl ? inFiles + (await countInRows(services.db, texts)) : inFiles
}

const COUNT = `
  const { lstatSync, readFileSync, readdirSync } = require('node:fs')
  const { join } = require('node:path')
  const [folder, ...texts] = process.argv.slice(1)
  const wanted = texts.map(text => Buffer.from(text).toString('latin1').toLowerCase())
  let count = 0
  for (const name of readdirSync(folder, { recursive: true }).sort().reverse()) {
    if (!lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile()) continue
    const bytes = readFileSync(join(folder, name), 'latin1').toLowerCase()
    for (const text of wanted) count += bytes.split(text).length - 1
  }
  process.stdout.write(String(count))`

/**
 * In another process: closing a file of SQLite in this one would release its locks. Backwards, so that what a checkpoint
 * moves from the log (`-wal`) into the database meanwhile is counted in one of them.
 */
export async function countInFiles(folder: string, ...texts: readonly string[]): Promise<number> {
  const { stdout } = await run(process.execPath, ['-e', COUNT, folder, ...texts])
  return Number(stdout)
}

async function countInRows(db: TestApp['services']['db'], texts: readonly string[]): Promise<number> {
  let count = 0
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<{
      row: string
    }>`select cast(t as text) as row from ${sql.table(name)} as t`.execute(db)
    for (const text of texts)
      count += rows.filter(({ row }) => row.toLowerCase().includes(text.toLowerCase())).length
  }
  return count
}
