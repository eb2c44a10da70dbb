import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Tables } from '../../database/tables.ts'
import { type MessageFilter, messageTypes, verifications } from './contract.ts'

/** Where in a list to begin, and which way to go. */
export interface Place {
  /** The id of a message; the list goes on behind it. Without one it begins at its end. */
  readonly from?: string | undefined
  readonly towards: 'older' | 'newer'
}

/** The order of a list that is read from a place. */
export function orderOf({ towards }: Place): 'asc' | 'desc' {
  return towards === 'older' ? 'desc' : 'asc'
}

/**
 * The ids that pass all filters but text and letter, from a place on. A single filter has an index of its own. Several
 * share one, in which a value must be named for each of them: so each combination gives its first ids, and those come
 * first that come first in any.
 */
export function selectFiltered(db: Database, filter: MessageFilter, place: Place, most: number) {
  const branches = combinationsOf(filter).map(combination =>
    db
      .selectFrom(
        db
          .selectFrom('messages')
          .select('messages.id')
          .where(eb => eb.and([...passes(eb, combination), ...isBehind(eb, place)]))
          .orderBy('messages.id', orderOf(place))
          .limit(most)
          .as('branch'),
      )
      .select('branch.id'),
  )
  const [first, ...others] = branches
  const all = others.reduce((union, branch) => union.unionAll(branch), first ?? none(db))
  return db.selectFrom(all.as('filtered')).select('id').orderBy('id', orderOf(place)).limit(most)
}

type MessageFacts = ExpressionBuilder<Tables, 'messages'>

/** The conditions on a message that `filter` names. */
export function passes(eb: MessageFacts, filter: MessageFilter): Expression<SqlBool>[] {
  const { formType, isRead, verification } = filter
  return [
    ...(formType ? [eb('messages.form_type', '=', formType)] : []),
    ...(isRead ? [eb('messages.is_read', '=', isRead === 'true' ? 1 : 0)] : []),
    ...(verification ? [eb(verificationKey, '=', verification.slice(0, 3))] : []),
  ]
}

/** Word for word the expression of the indexes, or they are not used. */
const verificationKey = sql<string>`substr(verification, 1, 3)`

function isBehind(eb: MessageFacts, { from, towards }: Place): Expression<SqlBool>[] {
  return from === undefined ? [] : [eb('messages.id', towards === 'older' ? '<' : '>', from)]
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

function none(db: Database) {
  return db
    .selectFrom(db.selectFrom('messages').select('messages.id').limit(0).as('branch'))
    .select('branch.id')
}
