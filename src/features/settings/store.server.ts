import { sql } from 'kysely'
import { type Clock, isoAfter } from '../../clock.ts'
import { isPostgres } from '../../database/engine.ts'
import { prepare } from '../../database/prepare.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import type { NamedKey } from '../../keys.ts'
import type { Log } from '../../log/logger.ts'
import { isSecret, type SettingKey, type SettingValues } from './contract.ts'
import { decrypt, encrypt } from './encryption.server.ts'

export interface Settings {
  /** All current settings, secrets decrypted. */
  read(): Promise<SettingValues>
  /**
   * Replaces a value; a secret is encrypted before it is stored. Secrets that are still encrypted with the previous key
   * are encrypted with the current one. @param check throws to reject the settings as they would be after the change.
   * Changes are serialised, so that each is checked. @param within more work for the transaction; gets the settings as
   * they were before
   */
  write<Key extends SettingKey>(
    key: Key,
    value: SettingValues[Key],
    check?: (changed: SettingValues) => void,
    within?: (transaction: Transaction, before: SettingValues) => Promise<void>,
  ): Promise<void>
}

interface Dependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** The first one encrypts secrets; all are tried to decrypt one. */
  readonly keys: readonly [NamedKey, ...NamedKey[]]
}

const selectSettings = prepare(db => db.selectFrom('settings').select(['key', 'value']))

/** The settings in the database. A secret that none of the keys can decrypt counts as not set. */
export function openSettings(dependencies: Dependencies, defaults: SettingValues): Settings {
  const { db, clock, log, keys } = dependencies
  const [currentKey] = keys
  const unreadable = new Set<string>()

  function decryptWithAny(setting: string, stored: string): string {
    for (const key of keys) {
      const secret = decrypt(key, setting, stored)
      if (secret !== null) return secret
    }
    // Settings are read with every enquiry, so each unreadable secret is logged once.
    if (!unreadable.has(stored))
      log('error', 'API', 'A secret setting was encrypted with another SECRET_KEY. Please enter it again.', {
        setting,
      })
    unreadable.add(stored)
    return ''
  }

  async function readRows(from: Database): Promise<SettingValues> {
    const { rows } = await selectSettings(from, {})
    const stored = rows.map(({ key, value }) => [key, isSecret(key) ? decryptWithAny(key, value) : value])
    return { ...defaults, ...Object.fromEntries(stored) }
  }

  async function upsert(db: Database, key: string, value: string) {
    const row = {
      value: isSecret(key) ? encrypt(currentKey, key, value) : value,
      updated_at: isoAfter(clock),
    }
    await db
      .insertInto('settings')
      .values({ key, ...row })
      .onConflict(conflict => conflict.column('key').doUpdateSet(row))
      .execute()
  }

  /** Once all secrets are encrypted with the current key, the previous key is no longer needed. */
  async function reencryptSecrets(within: Database) {
    const { rows } = await selectSettings(within, {})
    for (const { key, value } of rows) {
      if (!isSecret(key) || decrypt(currentKey, key, value) !== null) continue
      const secret = decryptWithAny(key, value)
      if (!secret) continue
      await upsert(within, key, secret)
      log('info', 'API', 'A secret setting is now encrypted with the current SECRET_KEY', { setting: key })
    }
  }

  return {
    read: async () => await readRows(db),
    async write(key, value, check, within) {
      await inTransaction(db, async transaction => {
        // SQLite has one writer; in PostgreSQL two concurrent changes could both pass their checks.
        if (isPostgres(db)) await sql`lock table settings in share row exclusive mode`.execute(transaction)
        const before = await readRows(transaction)
        check?.({ ...before, [key]: value })
        await upsert(transaction, key, value)
        await reencryptSecrets(transaction)
        await within?.(transaction, before)
      })
    },
  }
}
