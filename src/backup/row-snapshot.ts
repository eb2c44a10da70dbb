import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { CopiedTable } from './copied-tables.ts'

/** Rows. */
const BATCH = 1000
const LARGE_BATCH = 10

const batchOf = ({ isLarge }: CopiedTable) => (isLarge ? LARGE_BATCH : BATCH)

export const LAST_MIGRATION = 'select name from kysely_migration order by name desc limit 1'

/** A consistent snapshot of the database, while others keep writing to it. */
export async function openSnapshot({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Source> {
  return databaseUrl ? await openPostgres(databaseUrl) : openSqlite(join(dataDir, 'landfall.sqlite'))
}

/** A read transaction of a connection of its own: in WAL mode it does not block writers. */
export function openSqlite(file: string): Source {
  const db = new DatabaseSync(file, { readOnly: true })
  db.exec('begin')
  return {
    // The first read takes the snapshot.
    migration: String(db.prepare(LAST_MIGRATION).get()?.name),
    async *rows(table) {
      const { name, key } = table
      let batch: Row[] = []
      for (const row of db.prepare(`select * from ${name} order by ${key.join(', ')}`).iterate()) {
        batch.push(readRow(row))
        if (batch.length < batchOf(table)) continue
        yield batch
        batch = []
        // Reading is synchronous, so an interruption is handled here.
        await setImmediate()
      }
      if (batch.length > 0) yield batch
    },
    close: async () => db.close(),
  }
}

async function openPostgres(connectionString: string): Promise<Source> {
  const client = new pg.Client({ connectionString })
  // A connection that breaks fails its statement; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin isolation level repeatable read, read only')
  const { rows } = await client.query<{ name: string }>(LAST_MIGRATION)
  return {
    migration: rows[0]?.name ?? '',
    async *rows(table) {
      await client.query(`declare every_row no scroll cursor for ${inOrder(table)}`)
      while (true) {
        const { rows: batch } = await client.query<Record<string, unknown>>(
          `fetch ${batchOf(table)} from every_row`,
        )
        if (batch.length > 0) yield batch.map(readRow)
        if (batch.length < batchOf(table)) break
      }
      await client.query('close every_row')
    },
    close: () => client.end(),
  }
}

/** By the bytes of the key, as SQLite does. */
function inOrder({ name, key, isNumbered }: CopiedTable): string {
  const columns = isNumbered ? key : key.map(column => `${column} collate "C"`)
  return `select * from ${name} order by ${columns.join(', ')}`
}

function readRow(row: Record<string, unknown>): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, readValue(column, value)]))
}

function readValue(column: string, value: unknown) {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`The column ${column} holds a ${typeof value}, which cannot be copied`)
}

/** A row as both engines know it. */
export type Row = Readonly<Record<string, string | number | null>>

/** All rows of a database at one moment. */
export interface Source {
  /** The last migration of the schema that the rows have. */
  readonly migration: string
  /** Rows in the order of their key, a batch at a time. */
  rows(table: CopiedTable): AsyncIterable<readonly Row[]>
  close(): Promise<void>
}

/** Called now and then while rows are read, to show progress. */
export type Progress = (what: string, count: number) => void
