import { createHash } from 'node:crypto'
import { Kysely, sql } from 'kysely'
import { isMigration, migrate } from '../database/migrate.ts'
import type { Database, Tables } from '../database/tables.ts'
import { inTransaction, type Transaction } from '../database/transaction.ts'
import { inBatches } from '../erasure/in-pages.ts'
import { type CopiedTable, tablesIn } from './copied-tables.ts'
import { openSnapshot, type Progress, type Row, type Source } from './row-snapshot.ts'

/** Rows of one INSERT; SQLite allows 32,766 parameters. */
const ROWS_AT_ONCE = 500

/** The row count and digest of a table, to verify a copy of it. */
type Checksum = Awaited<ReturnType<typeof readTable>>

/**
 * Copies `source` into an empty PostgreSQL database, and compares every row.
 * @throws when the database holds rows @returns how many rows it holds now
 */
export async function copyRows(
  source: Source,
  databaseUrl: string,
  progress: Progress,
  signal?: AbortSignal,
): Promise<number> {
  const { postgresDialect } = await import('../database/postgres/dialect.ts')
  const db = new Kysely<Tables>({ dialect: postgresDialect(databaseUrl, 'patient') })
  const checksums = await importRows(db, source, progress, signal).finally(() => db.destroy())
  const copy = await openSnapshot({ dataDir: '', databaseUrl })
  // Not interruptible: the rows are committed.
  await verifyCopy(copy, checksums, progress).finally(() => copy.close())
  return [...checksums.values()].reduce((sum, { rows }) => sum + rows, 0)
}

/**
 * Fills an empty database with the rows of `source`, in one transaction and with the schema that they had; a later start
 * brings that up to date. @returns the checksums of what was read, by table, for `verifyCopy`
 */
async function importRows(db: Database, source: Source, progress: Progress, signal?: AbortSignal) {
  const { migration } = source
  if (!isMigration(migration))
    throw new Error(
      `The rows have the schema ${migration}, which this version does not know. Use the version that wrote them, or a later one.`,
    )
  const tables = tablesIn(migration)
  await migrate(db, migration)
  const checksums = new Map<string, Checksum>()
  await inTransaction(db, async transaction => {
    await assertEmpty(transaction, tables)
    for (const table of tables) {
      const seen = await readTable(source, table, async (batch, rows) => {
        signal?.throwIfAborted()
        for (const some of inBatches(batch, ROWS_AT_ONCE)) await insert(transaction, table, some)
        progress(table.name, rows)
      })
      checksums.set(table.name, seen)
    }
  })
  return checksums
}

/** @throws {Error} naming the first table that differs from what was read */
async function verifyCopy(copy: Source, checksums: ReadonlyMap<string, Checksum>, progress: Progress) {
  for (const table of tablesIn(copy.migration)) {
    const { rows, sha256 } = await readTable(copy, table, (_, compared) =>
      progress(`${table.name}, compared`, compared),
    )
    const expected = checksums.get(table.name)
    if (rows === expected?.rows && sha256 === expected.sha256) continue
    throw new Error(`The copy of ${table.name} is not what was read: ${rows} rows of ${expected?.rows}`)
  }
}

/** @param use called with each batch, and how many rows there were with it */
async function readTable(
  source: Source,
  table: CopiedTable,
  use: (batch: readonly Row[], rows: number) => Promise<void> | void,
) {
  const hash = createHash('sha256')
  let rows = 0
  for await (const batch of source.rows(table)) {
    for (const row of batch) hash.update(toLine(row))
    rows += batch.length
    await use(batch, rows)
  }
  return { rows, sha256: hash.digest('hex') }
}

/** The same whatever the order of its columns. */
function toLine(row: Row): string {
  return `${JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))}\n`
}

async function assertEmpty(transaction: Transaction, tables: readonly CopiedTable[]) {
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(transaction)
    if (rows.length > 0) throw new Error(`There is an installation already: the table ${name} holds rows`)
  }
}

async function insert(transaction: Transaction, { name }: CopiedTable, rows: readonly Row[]) {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map(row => sql`(${sql.join(columns.map(column => row[column]))})`)
  const into = sql`${sql.table(name)} (${sql.join(columns.map(column => sql.ref(column)))})`
  await sql`insert into ${into} values ${sql.join(values)}`.execute(transaction)
}
