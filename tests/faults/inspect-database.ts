import { join } from 'node:path'
import { Kysely } from 'kysely'
import { sqliteDialect } from '../../src/database/sqlite/dialect.ts'
import type { Database, Tables } from '../../src/database/tables.ts'

export interface Where {
  readonly dataDir: string
  readonly databaseUrl: string | null
}

/** How many letters are still to be sent. */
export async function countWaiting(db: Database): Promise<number> {
  const waiting = db.selectFrom('outbox').where('state', '=', 'waiting')
  const { count } = await waiting.select(eb => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** A look at the product's database beside it, as it is: nothing is migrated, no server is refused. */
export async function openDatabaseBeside({ dataDir, databaseUrl }: Where): Promise<Database> {
  const { postgresDialect } = await import('../../src/database/postgres/dialect.ts')
  const dialect = databaseUrl
    ? postgresDialect(databaseUrl, 'patient')
    : sqliteDialect(join(dataDir, 'landfall.sqlite'))
  return new Kysely<Tables>({ dialect })
}
