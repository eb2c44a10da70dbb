import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MessageRow } from '../../database/tables.ts'
import { type MessageFilter, messageTypes, verifications } from './contract.ts'

/** Where in a list to start, and in which direction to read. */
export interface Cursor {
  /** The id of a message: the list continues after it. Without one it starts at the newest or the oldest message. */
  readonly from?: string | undefined
  readonly towards: 'older' | 'newer'
}

/** The SQL order in which a list is read in this direction: ids are sorted by time. */
export function orderOf({ towards }: Cursor): 'asc' | 'desc' {
  return towards === 'older' ? 'desc' : 'asc'
}

/** A subquery that lists message ids in order. Which other columns it has depends on its source. */
export type CandidateQuery = RawBuilder<Pick<MessageRow, 'id'>>

/**
 * At most `limit` messages after the cursor that match all filters except search text and email status. Each single
 * filter has its own index. Several filters share one index, which needs a value for each column: so this reads the
 * first messages of each combination of values, and merges them.
 */
export function listFiltered(
  columns: 'id' | '*',
  filter: MessageFilter,
  cursor: Cursor,
  limit: number,
): CandidateQuery {
  const order = sql.raw(orderOf(cursor))
  const [only, ...others] = combinationsOf(filter).map(combination => {
    const conditions = sql.join(
      [...matchesFilter(combination), ...afterCursor(cursor), sql`true`],
      sql` and `,
    )
    return sql`select ${sql.raw(columns)} from messages where ${conditions} order by id ${order} limit ${limit}`
  })
  if (others.length === 0) return sql`(${only})`
  const all = sql.join(
    [only, ...others].map(branch => sql`select * from (${branch}) as branch`),
    sql` union all `,
  )
  return sql`(select * from (${all}) as branches order by id ${order} limit ${limit})`
}

/** The SQL conditions for the columns that `filter` names. */
export function matchesFilter({ formType, isRead, verification }: MessageFilter): Expression<SqlBool>[] {
  return [
    ...(formType ? [sql<SqlBool>`form_type = ${formType}`] : []),
    ...(isRead ? [sql<SqlBool>`is_read = ${isRead === 'true' ? 1 : 0}`] : []),
    // Must repeat the expression of the indexes exactly, or they are not used.
    ...(verification ? [sql<SqlBool>`substr(verification, 1, 3) = ${verification.slice(0, 3)}`] : []),
  ]
}

/** The SQL condition for a message that comes after the cursor. */
export function afterCursor({ from, towards }: Cursor): Expression<SqlBool>[] {
  return from === undefined ? [] : [sql<SqlBool>`id ${sql.raw(towards === 'older' ? '<' : '>')} ${from}`]
}

function combinationsOf({ formType, isRead, verification }: MessageFilter): MessageFilter[] {
  const values = [formType, isRead, verification].filter(value => value !== undefined)
  const asIs = {
    ...(formType && { formType }),
    ...(isRead && { isRead }),
    ...(verification && { verification }),
  }
  if (values.length < 2) return [asIs]
  const types = formType ? [formType] : messageTypes
  const readStates = isRead ? [isRead] : (['true', 'false'] as const)
  const kinds = verification ? [verification] : verifications
  return types.flatMap(type =>
    readStates.flatMap(state => kinds.map(kind => ({ formType: type, isRead: state, verification: kind }))),
  )
}
