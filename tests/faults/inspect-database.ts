import { join } from 'node:path'
import { Kysely } from 'kysely'
import { sqliteDialect } from '../../src/database/sqlite/dialect.ts'
import type { Database, Tables } from '../../src/database/tables.ts'

export interface DatabaseLocation {
  readonly dataDir: string
  readonly databaseUrl: string | null
}

/** How many emails are still to be sent. */
export async function countWaiting(db: Database): Promise<number> {
  const waiting = db.selectFrom('outbox').where('state', '=', 'waiting')
  const { count } = await waiting.select(eb => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** Opens the product's database while the product runs, as it is: without migrations or checks of the server. */
export async function openUnmigratedDatabase({ dataDir, databaseUrl }: DatabaseLocation): Promise<Database> {
  const { postgresDialect } = await import('../../src/database/postgres/dialect.ts')
  const dialect = databaseUrl
    ? postgresDialect(databaseUrl, 'patient')
    : sqliteDialect(join(dataDir, 'landfall.sqlite'))
  return new Kysely<Tables>({ dialect })
}
