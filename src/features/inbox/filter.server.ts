import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { MessageFilter } from './contract.ts'
import { hasFailedEmail } from './notification-status.server.ts'
import { containsText } from './search.server.ts'

/** A condition that a row of `messages` must meet, which is called `listed` in it. */
export type Condition = RawBuilder<SqlBool>

/** The filters of a list, and its order. `me` has been replaced by an id. */
export interface ListFilter extends MessageFilter {
  readonly order?: 'activity' | undefined
  /** What is snoozed or overdue then, as ISO text. */
  readonly now: string
}

/** What every list leaves out unless it is asked for. */
export const isNoSpam = sql<SqlBool>`status <> 'spam'`

/** One condition for each filter that is set, the cheapest first; none when only spam is left out. */
export function conditionsOf(db: Database, filter: ListFilter): Condition[] {
  const { formType, isRead, verification, letter: emailStatus, q, status, tag, overdue, snoozed } = filter
  const { now, assignee } = filter
  return [
    ...(status ? [sql<SqlBool>`status = ${status}`] : []),
    ...(formType ? [sql<SqlBool>`form_type = ${formType}`] : []),
    ...(isRead ? [sql<SqlBool>`is_read = ${isRead === 'true' ? 1 : 0}`] : []),
    ...(assignee ? [isAssignedTo(assignee)] : []),
    ...(snoozed ? [sql<SqlBool>`snoozed_until > ${now}`] : []),
    ...(overdue ? [isOverdue(now)] : []),
    // The first three characters distinguish `verified`, `off`, `unverified:…` and `suspect:…`.
    ...(verification ? [sql<SqlBool>`substr(verification, 1, 3) = ${verification.slice(0, 3)}`] : []),
    ...(tag ? [hasTag(tag)] : []),
    ...(emailStatus ? [hasFailedEmail] : []),
    ...(q === undefined ? [] : [containsText(db, q)]),
  ]
}

function isAssignedTo(assignee: string) {
  return assignee === 'none' ? sql<SqlBool>`assignee_id is null` : sql<SqlBool>`assignee_id = ${assignee}`
}

/** While the visitor has to answer, or the message is snoozed, nobody is late. */
export function isOverdue(now: string) {
  return sql<SqlBool>`due_at <= ${now} and status = 'open' and (snoozed_until is null or snoozed_until <= ${now})`
}

function hasTag(tag: string) {
  return sql<SqlBool>`exists (select 1 from message_tags where message_id = listed.id and tag = ${tag})`
}
