import type { Tables } from '../database/tables.ts'

/** A table as it is archived: in the order of its key, which is the same on both engines. */
export interface ArchivedTable {
  readonly name: keyof Tables
  readonly key: readonly string[]
  /** The migration that made it; what was written before does not have it. */
  readonly since?: string
}

/**
 * Every table, those first that others refer to. What the engines derive from them, such as search indexes, is not here,
 * and nor is what each installation has of its own: decoys, and counts that are void within the hour.
 */
export const archivedTables: readonly ArchivedTable[] = [
  // First, because a restore must know it before it meets a message.
  { name: 'erased', key: ['hash'], since: '0013-erased' },
  { name: 'users', key: ['id'] },
  { name: 'sessions', key: ['id'] },
  { name: 'pending_sign_ins', key: ['token_hash'] },
  { name: 'trusted_devices', key: ['token_hash'] },
  { name: 'known_browsers', key: ['user_id', 'token_hash'] },
  { name: 'browser_tries', key: ['user_id', 'token_hash'] },
  { name: 'email_verifications', key: ['token_hash'] },
  { name: 'api_tokens', key: ['id'] },
  { name: 'console_codes', key: ['user_id'] },
  { name: 'settings', key: ['key'] },
  { name: 'messages', key: ['id'] },
  { name: 'outbox', key: ['id'] },
  { name: 'gathered_notices', key: ['message_id'] },
  { name: 'idempotency_keys', key: ['key'] },
  { name: 'logs', key: ['id'] },
]

/** Those that there are in the schema of a migration. */
export function tablesIn(migration: string): ArchivedTable[] {
  return archivedTables.filter(({ since = '' }) => since <= migration)
}
