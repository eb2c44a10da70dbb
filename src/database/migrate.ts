import { DEFAULT_MIGRATION_LOCK_TABLE, MIGRATION_LOCK_ID, Migrator } from 'kysely/migration'
import * as users from './migrations/0001-users.ts'
import * as settings from './migrations/0002-settings.ts'
import * as messages from './migrations/0003-messages.ts'
import * as outbox from './migrations/0004-outbox.ts'
import * as gatheredNotices from './migrations/0005-gathered-notices.ts'
import * as logs from './migrations/0006-logs.ts'
import * as apiTokens from './migrations/0007-api-tokens.ts'
import * as emailVerification from './migrations/0008-email-verification.ts'
import * as messageSearch from './migrations/0009-message-search.ts'
import * as rateLimits from './migrations/0010-rate-limits.ts'
import * as dummyLoginAttempts from './migrations/0011-decoys.ts'
import * as triesOfBrowsers from './migrations/0012-tries-of-browsers.ts'
import * as erased from './migrations/0013-erased.ts'
import * as standardNames from './migrations/0014-standard-names.ts'
import * as inboxGrant from './migrations/0015-inbox-grant.ts'
import * as messageHistory from './migrations/0016-message-history.ts'
import * as messageScans from './migrations/0017-message-scans.ts'
import * as content from './migrations/0018-content.ts'
import * as reviews from './migrations/0019-reviews.ts'
import * as versionNumbers from './migrations/0020-version-numbers.ts'
import * as pictures from './migrations/0021-pictures.ts'
import * as messageDetails from './migrations/0022-message-details.ts'
import * as passwordLinks from './migrations/0024-password-links.ts'
import * as conversations from './migrations/0025-conversations.ts'
import * as logsAndUnread from './migrations/0028-logs-and-unread.ts'
import * as live from './migrations/0029-live.ts'
import * as acknowledgements from './migrations/0030-acknowledgements.ts'
import * as replyClock from './migrations/0031-reply-clock.ts'
import * as mergedMessages from './migrations/0032-merged-messages.ts'
import * as firstReplies from './migrations/0033-first-replies.ts'
import * as unfinishedByAssignee from './migrations/0034-unfinished-by-assignee.ts'
import * as answerIndexes from './migrations/0035-answer-indexes.ts'
import * as inboxSearch from './migrations/0037-inbox-search.ts'
import * as writing from './migrations/0039-writing.ts'
import * as pictureIds from './migrations/0041-picture-ids.ts'
import * as phoneCalls from './migrations/0043-phone-calls.ts'
import * as formerUsers from './migrations/0044-former-users.ts'
import * as searchVersions from './migrations/0046-search-versions.ts'
import * as mailProviders from './migrations/0047-mail-providers.ts'
import * as oneListOfVisas from './migrations/0048-one-list-of-visas.ts'
import * as historyColumns from './migrations/0049-history-columns.ts'
import type { Database } from './tables.ts'

/** Every change of the schema, in order. One that has been released is never edited: the next one corrects it. */
const migrations = {
  '0001-users': users,
  '0002-settings': settings,
  '0003-messages': messages,
  '0004-outbox': outbox,
  '0005-gathered-notices': gatheredNotices,
  '0006-logs': logs,
  '0007-api-tokens': apiTokens,
  '0008-email-verification': emailVerification,
  '0009-message-search': messageSearch,
  '0010-rate-limits': rateLimits,
  '0011-decoys': dummyLoginAttempts,
  '0012-tries-of-browsers': triesOfBrowsers,
  '0013-erased': erased,
  '0014-standard-names': standardNames,
  '0015-inbox-grant': inboxGrant,
  '0016-message-history': messageHistory,
  '0017-message-scans': messageScans,
  '0018-content': content,
  '0019-reviews': reviews,
  '0020-version-numbers': versionNumbers,
  '0021-pictures': pictures,
  '0022-message-details': messageDetails,
  '0024-password-links': passwordLinks,
  '0025-conversations': conversations,
  '0028-logs-and-unread': logsAndUnread,
  '0029-live': live,
  '0030-acknowledgements': acknowledgements,
  '0031-reply-clock': replyClock,
  '0032-merged-messages': mergedMessages,
  '0033-first-replies': firstReplies,
  '0034-unfinished-by-assignee': unfinishedByAssignee,
  '0035-answer-indexes': answerIndexes,
  '0037-inbox-search': inboxSearch,
  '0039-writing': writing,
  '0041-picture-ids': pictureIds,
  '0043-phone-calls': phoneCalls,
  '0044-former-users': formerUsers,
  '0046-search-versions': searchVersions,
  '0047-mail-providers': mailProviders,
  '0048-one-list-of-visas': oneListOfVisas,
  '0049-history-columns': historyColumns,
}

/** Whether this version has a migration of this name. */
export function isMigration(name: string): boolean {
  return Object.hasOwn(migrations, name)
}

/** Keeps everybody else from migrating a PostgreSQL database until the connection is closed: their start waits. */
export async function lockMigrations(connection: Database): Promise<void> {
  const lock = { lockTable: DEFAULT_MIGRATION_LOCK_TABLE, lockRowId: MIGRATION_LOCK_ID }
  await connection.getExecutor().adapter.acquireMigrationLock(connection, lock)
}

/**
 * Brings the schema up to date in one transaction, so that it is as before or as after, never between.
 * @param last the migration to stop after, for rows that were written with its schema
 */
export async function migrate(db: Database, last?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error) throw error
}
