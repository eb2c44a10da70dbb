import { execFileSync } from 'node:child_process'
import { sql } from 'kysely'
import type { Office } from './office.ts'

/**
 * How often a text stands in what an installation keeps, whatever its case: on SQLite in the bytes of every file of the
 * data folder, on PostgreSQL in every row of every table, and in the files as well.
 */
export async function countStored({ services }: Pick<Office, 'services'>, text: string): Promise<number> {
  const inFiles = countInFiles(services.config.dataDir, text)
  return services.config.databaseUrl ? inFiles + (await countInRows(services.db, text)) : inFiles
}

/** By another process: to open and close a file of SQLite in this one would take its locks away. */
export function countInFiles(folder: string, text: string): number {
  const script = `
    const { lstatSync, readFileSync, readdirSync } = require('node:fs')
    const { join } = require('node:path')
    const [folder, text] = process.argv.slice(1)
    const wanted = Buffer.from(text).toString('latin1').toLowerCase()
    let count = 0
    for (const name of readdirSync(folder, { recursive: true })) {
      if (!lstatSync(join(folder, name)).isFile()) continue
      count += readFileSync(join(folder, name), 'latin1').toLowerCase().split(wanted).length - 1
    }
    process.stdout.write(String(count))`
  return Number(execFileSync(process.execPath, ['-e', script, folder, text], { encoding: 'utf8' }))
}

async function countInRows(db: Office['services']['db'], text: string): Promise<number> {
  let count = 0
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<{
      row: string
    }>`select cast(t as text) as row from ${sql.table(name)} as t`.execute(db)
    count += rows.filter(({ row }) => row.toLowerCase().includes(text.toLowerCase())).length
  }
  return count
}
