import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { MessageFilter } from './contract.ts'
import { hasFailedEmail } from './notification-status.server.ts'
import { containsText } from './search.server.ts'

/** A condition that a row of `messages` must meet, which is called `listed` in it. */
export type Condition = RawBuilder<SqlBool>

/** One condition for each filter that is set, the cheapest first. */
export function conditionsOf(
  db: Database,
  { formType, isRead, verification, letter: emailStatus, q }: MessageFilter,
): Condition[] {
  return [
    ...(formType ? [sql<SqlBool>`form_type = ${formType}`] : []),
    ...(isRead ? [sql<SqlBool>`is_read = ${isRead === 'true' ? 1 : 0}`] : []),
    // The first three characters distinguish `verified`, `off`, `unverified:…` and `suspect:…`.
    ...(verification ? [sql<SqlBool>`substr(verification, 1, 3) = ${verification.slice(0, 3)}`] : []),
    ...(emailStatus ? [hasFailedEmail] : []),
    ...(q === undefined ? [] : [containsText(db, q)]),
  ]
}
