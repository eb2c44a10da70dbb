import { type Clock, isoAfter } from '../clock.ts'
import type { FactRow } from '../database/content-tables.ts'
import type { Database } from '../database/tables.ts'
import type { Fact, Facts } from './facts.ts'

/** The last row of each name. */
export function currentFacts(db: Database) {
  const last = db
    .selectFrom('facts')
    .select(eb => eb.fn.max('id').as('id'))
    .groupBy('name')
  return db.selectFrom('facts').selectAll().where('id', 'in', last)
}

export async function listFacts(db: Database): Promise<Facts> {
  const rows = await currentFacts(db).orderBy('name').execute()
  return new Map(rows.map(row => [row.name, toFact(row)]))
}

/** Facts that somebody must check. @param today a date of the office, such as 2026-07-01 */
export async function listFactsToReview(db: Database, today: string): Promise<readonly Fact[]> {
  const rows = await currentFacts(db).where('review_by', '<', today).orderBy('review_by').execute()
  return rows.map(toFact)
}

/** Adds facts, or what is now known of them. Call it with the `content` lock. @param checkedBy the name of a person @returns the number of the last row */
export async function addFacts(
  transaction: Database,
  clock: Clock,
  facts: readonly Fact[],
  checkedBy: string,
): Promise<number> {
  const query = transaction.selectFrom('facts').select(eb => eb.fn.max('id').as('last'))
  const { last } = await query.executeTakeFirstOrThrow()
  const before = last ?? 0
  const common = { checked_by: checkedBy, created_at: isoAfter(clock) }
  const rows = facts.map((fact, at) => ({ id: before + at + 1, ...toColumns(fact), ...common }))
  if (rows.length > 0) await transaction.insertInto('facts').values(rows).execute()
  return before + rows.length
}

export function toColumns({ name, value, unit, asAt, source, reviewBy, endsOn }: Fact) {
  const dates = { as_at: asAt, review_by: reviewBy, ends_on: endsOn }
  return { name, value, unit, ...dates, source_title: source.label, source_url: source.url }
}

export function toFact(row: Omit<FactRow, 'id' | 'checked_by' | 'created_at'>): Fact {
  const { name, value, unit } = row
  const source = { label: row.source_title, url: row.source_url }
  return { name, value, unit, asAt: row.as_at, source, reviewBy: row.review_by, endsOn: row.ends_on }
}
