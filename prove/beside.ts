import { join } from 'node:path'
import { Kysely } from 'kysely'
import { sqliteDialect } from '../src/database/sqlite.ts'
import type { Database, Tables } from '../src/database/tables.ts'

export interface Where {
  readonly dataDir: string
  readonly databaseUrl: string | null
}

/** A look at the product's database beside it, as it is: nothing is migrated, no server is refused. */
export async function openBeside({ dataDir, databaseUrl }: Where): Promise<Database> {
  const { postgresDialect } = await import('../src/database/postgres.ts')
  const dialect = databaseUrl
    ? postgresDialect(databaseUrl, 'patient')
    : sqliteDialect(join(dataDir, 'landfall.sqlite'))
  return new Kysely<Tables>({ dialect })
}
