import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MessageRow } from '../../database/tables.ts'
import { type MessageFilter, messageTypes, verifications } from './contract.ts'

/** Where in a list to begin, and which way to go. */
export interface Cursor {
  /** The id of a message; the list goes on behind it. Without one it begins at its end. */
  readonly from?: string | undefined
  readonly towards: 'older' | 'newer'
}

/** The order of a list that is read from a place. */
export function orderOf({ towards }: Cursor): 'asc' | 'desc' {
  return towards === 'older' ? 'desc' : 'asc'
}

/** Messages in their order, to select from; what else is known of them depends on where they come from. */
export type CandidateQuery = RawBuilder<Pick<MessageRow, 'id'>>

/**
 * The messages that pass all filters but text and letter, from a place on. A single filter has an index of its own.
 * Several share one, in which a value must be named for each of them: so each combination gives its first messages, and
 * those come first that come first in any.
 */
export function listFiltered(
  columns: 'id' | '*',
  filter: MessageFilter,
  place: Cursor,
  most: number,
): CandidateQuery {
  const order = sql.raw(orderOf(place))
  const [only, ...others] = combinationsOf(filter).map(combination => {
    const conditions = sql.join([...matchesFilter(combination), ...afterCursor(place), sql`true`], sql` and `)
    return sql`select ${sql.raw(columns)} from messages where ${conditions} order by id ${order} limit ${most}`
  })
  if (others.length === 0) return sql`(${only})`
  const all = sql.join(
    [only, ...others].map(branch => sql`select * from (${branch}) as branch`),
    sql` union all `,
  )
  return sql`(select * from (${all}) as branches order by id ${order} limit ${most})`
}

/** The conditions on a message that `filter` names. */
export function matchesFilter({ formType, isRead, verification }: MessageFilter): Expression<SqlBool>[] {
  return [
    ...(formType ? [sql<SqlBool>`form_type = ${formType}`] : []),
    ...(isRead ? [sql<SqlBool>`is_read = ${isRead === 'true' ? 1 : 0}`] : []),
    // Word for word the expression of the indexes, or they are not used.
    ...(verification ? [sql<SqlBool>`substr(verification, 1, 3) = ${verification.slice(0, 3)}`] : []),
  ]
}

/** The condition on a message to come behind a place. */
export function afterCursor({ from, towards }: Cursor): Expression<SqlBool>[] {
  return from === undefined ? [] : [sql<SqlBool>`id ${sql.raw(towards === 'older' ? '<' : '>')} ${from}`]
}

function combinationsOf({ formType, isRead, verification }: MessageFilter): MessageFilter[] {
  const given = [formType, isRead, verification].filter(value => value !== undefined)
  const one = {
    ...(formType && { formType }),
    ...(isRead && { isRead }),
    ...(verification && { verification }),
  }
  if (given.length < 2) return [one]
  const types = formType ? [formType] : messageTypes
  const readStates = isRead ? [isRead] : (['true', 'false'] as const)
  const checks = verification ? [verification] : verifications
  return types.flatMap(type =>
    readStates.flatMap(state =>
      checks.map(check => ({ formType: type, isRead: state, verification: check })),
    ),
  )
}
