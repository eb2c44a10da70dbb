import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Clock, isoAfter } from '../../clock.ts'
import type { MessageFilter } from './filter-contract.ts'
import { hasFailedEmail } from './notification-status.server.ts'

/** A condition that a row of `messages` must meet, which is called `listed` in it. */
export type Condition = RawBuilder<SqlBool>

/** The filters of a list, and its order. `me` has been replaced by an id. */
export interface ListFilter extends MessageFilter {
  readonly order?: 'activity' | undefined
  /** Leaves out what is merged, in a search, too. */
  readonly isUnmerged?: true
  /** No word of a note decides what leaves the inbox. */
  readonly isForExport?: true
  /** Spam as well, although no `status` asks for it. */
  readonly withSpam?: 'true' | undefined
  /** What is snoozed or overdue then, as ISO text. */
  readonly now: string
}

/** The filter of this caller at this moment. */
export function listFilterOf(
  { assignee, ...filter }: MessageFilter & Pick<ListFilter, 'order' | 'withSpam'>,
  userId: string,
  clock: Clock,
): ListFilter {
  return { ...filter, assignee: assignee === 'me' ? userId : assignee, now: isoAfter(clock) }
}

/** What every list leaves out unless it is asked for. */
export const isNoSpam = sql<SqlBool>`status <> 'spam'`

/**
 * What is merged into a message that exists is shown there. A search also finds it by itself: it has the words that
 * somebody looks for.
 */
export const isNotMerged = sql<SqlBool>`(merged_into is null
  or not exists (select 1 from messages as target where target.id = listed.merged_into))`

/** One condition for each filter that is set, the cheapest first; none when only spam is left out. The search is apart. */
export function conditionsOf(filter: ListFilter): Condition[] {
  const { formType, isRead, verification, letter: emailStatus, status, tag, overdue, snoozed } = filter
  const { now, assignee, received, firstReplyWeek, answeredBy, answeredSince = '' } = filter
  return [
    ...(status ? [sql<SqlBool>`status = ${status}`] : []),
    ...(formType ? [sql<SqlBool>`form_type = ${formType}`] : []),
    ...(isRead ? [sql<SqlBool>`is_read = ${isRead === 'true' ? 1 : 0}`] : []),
    ...(assignee ? [isAssignedTo(assignee)] : []),
    ...(snoozed ? [sql<SqlBool>`snoozed_until > ${now}`] : []),
    ...(overdue ? [isOverdue(now)] : []),
    ...(received ? isReceivedIn(received) : []),
    ...(firstReplyWeek ? [sql<SqlBool>`first_reply_week = ${firstReplyWeek}`] : []),
    // The first three characters distinguish `verified`, `off`, `unverified:…` and `suspect:…`.
    ...(verification ? [sql<SqlBool>`substr(verification, 1, 3) = ${verification.slice(0, 3)}`] : []),
    ...(tag ? [hasTag(tag)] : []),
    ...(answeredBy ? [isAnsweredBy(answeredBy, answeredSince)] : []),
    ...(emailStatus ? [hasFailedEmail] : []),
  ]
}

function isAssignedTo(assignee: string) {
  return assignee === 'none' ? sql<SqlBool>`assignee_id is null` : sql<SqlBool>`assignee_id = ${assignee}`
}

/** While the visitor has to answer, or the message is snoozed, nobody is late. */
export function isOverdue(now: string) {
  return sql<SqlBool>`due_at <= ${now} and status = 'open' and (snoozed_until is null or snoozed_until <= ${now})`
}

/** @param interval as the contract has it, such as `2026-11-16T13:00:00.000Z/..` */
function isReceivedIn(interval: string): Condition[] {
  const [from = '..', until = '..'] = interval.split('/')
  return [
    ...(from === '..' ? [] : [sql<SqlBool>`created_at >= ${from}`]),
    ...(until === '..' ? [] : [sql<SqlBool>`created_at < ${until}`]),
  ]
}

/** By email or by phone. A reply that failed has answered nobody, nor has a call that reached nobody. */
function isAnsweredBy(userId: string, since: string): Condition {
  return sql<SqlBool>`exists (select 1 from entries where message_id = listed.id and kind in ('reply', 'call')
    and (call_outcome is null or call_outcome = 'reached')
    and author_id = ${userId} and created_at >= ${since}
    and not exists (select 1 from outbox where outbox.id = entries.id and state = 'failed'))`
}

function hasTag(tag: string) {
  return sql<SqlBool>`exists (select 1 from message_tags where message_id = listed.id and tag = ${tag})`
}
