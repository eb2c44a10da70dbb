import { DEFAULT_MIGRATION_LOCK_TABLE, MIGRATION_LOCK_ID, Migrator } from 'kysely/migration'
import { beforeRelease } from './migrations/0001-0013.ts'
import { contentAndHistory } from './migrations/0014-0024.ts'
import { conversations } from './migrations/0025-0035.ts'
import { searchAndCalls } from './migrations/0037-0047.ts'
import { listVisasOnce } from './migrations/0048-one-list-of-visas.ts'
import { splitHistory } from './migrations/0049-history-columns.ts'
import { addOldAddresses } from './migrations/0050-old-addresses.ts'
import { addMailIn } from './migrations/0051-mail-in.ts'
import { addMailboxes } from './migrations/0052-mailboxes.ts'
import { addDeltaLinks } from './migrations/0053-delta-links.ts'
import { addAttachments } from './migrations/0054-attachments.ts'
import { addSavedViews } from './migrations/0055-saved-views.ts'
import { addSignatures } from './migrations/0056-signatures.ts'
import { addNotices } from './migrations/0057-notices.ts'
import { addBlobHashes } from './migrations/0058-blob-hashes.ts'
import { addFollowers } from './migrations/0059-followers.ts'
import { addScheduledReplies } from './migrations/0060-scheduled-replies.ts'
import { addCannedVariants } from './migrations/0061-canned-variants.ts'
import { addVisitorPages } from './migrations/0062-visitor-pages.ts'
import { addErasureRequests } from './migrations/0063-erasure-requests.ts'
import type { Migrations } from './migrations/define.ts'
import type { Database } from './tables.ts'

/** Every change of the schema. */
const changes: Migrations = {
  ...beforeRelease,
  ...contentAndHistory,
  ...conversations,
  ...searchAndCalls,
  '0048-one-list-of-visas': listVisasOnce,
  '0049-history-columns': splitHistory,
  '0050-old-addresses': addOldAddresses,
  '0051-mail-in': addMailIn,
  '0052-mailboxes': addMailboxes,
  '0053-delta-links': addDeltaLinks,
  '0054-attachments': addAttachments,
  '0055-saved-views': addSavedViews,
  '0056-signatures': addSignatures,
  '0057-notices': addNotices,
  '0058-blob-hashes': addBlobHashes,
  '0059-followers': addFollowers,
  '0060-scheduled-replies': addScheduledReplies,
  '0061-canned-variants': addCannedVariants,
  '0062-visitor-pages': addVisitorPages,
  '0063-erasure-requests': addErasureRequests,
}
const migrations = Object.fromEntries(Object.entries(changes).map(([name, up]) => [name, { up }]))

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
