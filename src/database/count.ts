import type { SelectQueryBuilder } from 'kysely'
import type { Database, Tables } from './tables.ts'

/** Counts the rows of a query that has a limit, so that the figure costs no more with a million of them. */
export async function countUpTo<T extends keyof Tables>(
  db: Database,
  limited: SelectQueryBuilder<Tables, T, { id: string }>,
): Promise<number> {
  const row = await db
    .selectFrom(limited.as('counted'))
    .select(eb => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
