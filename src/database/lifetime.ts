import { type SqlBool, sql } from 'kysely'
import { type Clock, isoAfter, MAX_CLOCK_SKEW } from '../platform/clock.ts'

/**
 * Whether a stored time lies between two, in milliseconds from now: from 0 to its lifetime for when something expires, from
 * minus its lifetime to 0 for when it was created. A time that is even later was written by a clock that has been set back
 * since, and what it belongs to is over.
 */
export function isWithin(time: string, clock: Clock, from: number, to: number): boolean {
  const { after, until } = boundsOf(clock, from, to)
  return time > after && time <= until
}

/** The same as an SQL condition. @param column may name its table */
export function whereWithin(column: string, clock: Clock, from: number, to: number) {
  const { after, until } = boundsOf(clock, from, to)
  return sql<SqlBool>`(${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${until})`
}

function boundsOf(clock: Clock, from: number, to: number) {
  return { after: isoAfter(clock, from), until: isoAfter(clock, to + MAX_CLOCK_SKEW) }
}
