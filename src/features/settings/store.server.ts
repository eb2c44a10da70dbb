import { sql } from 'kysely'
import { type Clock, isoAfter } from '../../clock.ts'
import { isPostgres } from '../../database/engine.ts'
import { prepare } from '../../database/prepare.ts'
import type { Database } from '../../database/tables.ts'
import type { NamedKey } from '../../keys.ts'
import type { Log } from '../../log/logger.ts'
import { isSecret, type SettingKey, type SettingValues } from './contract.ts'
import { decrypt, encrypt } from './encryption.server.ts'

export interface Settings {
  /** All settings as they are now, secrets in the clear. */
  read(): Promise<SettingValues>
  /**
   * Puts a value in place of the old one; a secret is encrypted on its way to the database. Secrets that are still
   * under the key before this one are put under this one. @param check may throw at what the settings would be then:
   * nothing is changed. Two changes wait for each other, so that both are checked. @param within more work for the
   * transaction, which is told what the settings were before
   */
  write<Key extends SettingKey>(
    key: Key,
    value: SettingValues[Key],
    check?: (then: SettingValues) => void,
    within?: (transaction: Database, before: SettingValues) => Promise<void>,
  ): Promise<void>
}

interface Dependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** The first encrypts the secret ones; all of them are tried to read one. */
  readonly keys: readonly [NamedKey, ...NamedKey[]]
}

const selectSettings = prepare(db => db.selectFrom('settings').select(['key', 'value']))

/** The settings in the database. A secret that no key of this installation opens counts as not set. */
export function openSettings(dependencies: Dependencies, defaults: SettingValues): Settings {
  const { db, clock, log, keys } = dependencies
  const [currentKey] = keys
  const lost = new Set<string>()

  function open(setting: string, stored: string): string {
    for (const key of keys) {
      const secret = decrypt(key, setting, stored)
      if (secret !== null) return secret
    }
    // Settings are read with every enquiry; to say it once is enough.
    if (!lost.has(stored))
      log('error', 'API', 'A secret setting was encrypted with another SECRET_KEY. Please enter it again.', {
        setting,
      })
    lost.add(stored)
    return ''
  }

  async function readRows(from: Database): Promise<SettingValues> {
    const { rows } = await selectSettings(from, {})
    const stored = rows.map(({ key, value }) => [key, isSecret(key) ? open(key, value) : value])
    return { ...defaults, ...Object.fromEntries(stored) }
  }

  async function put(into: Database, key: string, value: string) {
    const row = {
      value: isSecret(key) ? encrypt(currentKey, key, value) : value,
      updated_at: isoAfter(clock),
    }
    await into
      .insertInto('settings')
      .values({ key, ...row })
      .onConflict(conflict => conflict.column('key').doUpdateSet(row))
      .execute()
  }

  /** Once all secrets are under the current key, the one before can be forgotten. */
  async function renewSecrets(within: Database) {
    const { rows } = await selectSettings(within, {})
    for (const { key, value } of rows) {
      if (!isSecret(key) || decrypt(currentKey, key, value) !== null) continue
      const secret = open(key, value)
      if (!secret) continue
      await put(within, key, secret)
      log('info', 'API', 'A secret setting is now encrypted with the current SECRET_KEY', { setting: key })
    }
  }

  return {
    read: async () => await readRows(db),
    async write(key, value, check, within) {
      await db.transaction().execute(async transaction => {
        // SQLite has one writer; PostgreSQL would let two changes pass their checks side by side.
        if (isPostgres(db)) await sql`lock table settings in share row exclusive mode`.execute(transaction)
        const before = await readRows(transaction)
        check?.({ ...before, [key]: value })
        await put(transaction, key, value)
        await renewSecrets(transaction)
        await within?.(transaction, before)
      })
    },
  }
}
