import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/** With the tables of then, which are in no type. */
export type EarlierDatabase = Kysely<never>

/** By name, in order. One that has been released is never edited: the next one corrects it. */
export type Migrations = Readonly<Record<string, (db: EarlierDatabase) => Promise<void>>>

/** How columns are defined in SQL, and the columns that are defined so. */
type Columns = readonly (readonly [definition: string, ...names: string[]])[]

export const KEY = 'text primary key'
/** After the columns, for a key of several of them. */
export const KEY_OF = 'primary key'
export const TEXT = 'text not null'
export const NUMBER = 'integer not null'
export const OF_USER = 'text not null references "users" ("id") on delete cascade'
export const OF_MESSAGE = 'text not null references "messages" ("id") on delete cascade'
export const OF_DOCUMENT = 'text not null references "content_documents" ("id")'

/** @returns the table with these columns in their order, for constraints and to be executed */
export function createTable({ schema }: EarlierDatabase, name: string, columns: Columns) {
  let table: CreateTableBuilder<string, string> = schema.createTable(name)
  for (const [definition, ...names] of columns) {
    if (definition === KEY_OF) table = table.addPrimaryKeyConstraint(`${name}_key`, names)
    else for (const column of names) table = table.addColumn(column, sql.raw(definition))
  }
  return table
}

/** One by one, which is all that SQLite takes. */
export async function addColumns({ schema }: EarlierDatabase, table: string, columns: Columns) {
  for (const [definition, ...names] of columns)
    for (const column of names)
      await schema.alterTable(table).addColumn(column, sql.raw(definition)).execute()
}

/** @param what it orders by: its name comes after that of the table */
export async function createIndex(
  { schema }: EarlierDatabase,
  table: string,
  what: string,
  columns: string[],
): Promise<void> {
  await schema.createIndex(`${table}_${what}`).on(table).columns(columns).execute()
}

/** Runs one statement after the other. */
export async function run(db: EarlierDatabase, ...statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db)
}

/** A statement may take five seconds, and an index over a million messages takes longer. */
export async function withoutTimeout(db: EarlierDatabase): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
}
