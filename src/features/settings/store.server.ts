import { type Clock, isoAfter } from '../../clock.ts'
import type { Database } from '../../database/tables.ts'
import type { NamedKey } from '../../keys.ts'
import type { Log } from '../../log.ts'
import { isSecret, type SettingKey, type SettingValues } from './contract.ts'
import { conceal, reveal } from './secret.server.ts'

export interface Settings {
  /** All settings as they are now, secrets in the clear. */
  read(): Promise<SettingValues>
  /** Puts a value in place of the old one; a secret is encrypted on its way to the database. */
  write<Key extends SettingKey>(key: Key, value: SettingValues[Key]): Promise<void>
}

interface Surroundings {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** Encrypts the secret ones. */
  readonly key: NamedKey
}

/** The settings in the database. A secret that this installation's key does not open counts as not set. */
export function openSettings(surroundings: Surroundings, defaults: SettingValues): Settings {
  const { db, clock, log, key: secretsKey } = surroundings
  const lost = new Set<string>()

  function open(setting: string, stored: string): string {
    const secret = reveal(secretsKey, setting, stored)
    // Settings are read with every enquiry; to say it once is enough.
    if (secret === null && !lost.has(stored))
      log('error', 'API', 'A secret setting was encrypted with another SECRET_KEY. Please enter it again.', {
        setting,
      })
    if (secret === null) lost.add(stored)
    return secret ?? ''
  }

  return {
    async read() {
      const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
      const stored = rows.map(({ key, value }) => [key, isSecret(key) ? open(key, value) : value])
      return { ...defaults, ...Object.fromEntries(stored) }
    },
    async write(key, value) {
      const stored = isSecret(key) ? conceal(secretsKey, key, value) : value
      const row = { value: stored, updated_at: isoAfter(clock) }
      await db
        .insertInto('settings')
        .values({ key, ...row })
        .onConflict(conflict => conflict.column('key').doUpdateSet(row))
        .execute()
    },
  }
}
