import { hash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import { isPostgres } from '../../database/engine.ts'
import { type Param, prepare } from '../../database/prepare.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import type { Log } from '../../log/logger.ts'
import { type Clock, isoAfter } from '../../platform/clock.ts'
import { decrypt, encrypt, type NamedKey } from '../../platform/keys.ts'
import {
  detailKeys,
  type EncryptedKey,
  encryptedKeys,
  isEncrypted,
  type PublicValues,
  type StoredValues,
  settingKeys,
} from './contract.ts'

export type Settings = ReturnType<typeof openSettings>

interface Dependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** The first one encrypts secrets; all are tried to decrypt one. */
  readonly keys: readonly [NamedKey, ...NamedKey[]]
}

const selectSettings = prepare(db =>
  db.selectFrom('settings').select(['key', 'value', 'updated_at']).orderBy('key'),
)
/** Without what becomes of the database, such as when its retention last ran: no page depends on it. */
const selectRevision = prepare(db =>
  db
    .selectFrom('settings')
    .select(['key', 'value', 'updated_at'])
    .where('key', 'in', settingKeys)
    .orderBy('key'),
)
const selectPublicSettings = prepare(db =>
  db
    .selectFrom('settings')
    .select(['key', 'value'])
    // A node of an earlier release, which may run during an upgrade, writes details of the site as settings.
    .where('key', 'not in', [...encryptedKeys, ...detailKeys]),
)
const selectSetting = prepare((db, param: Param<{ key: string }>) =>
  db.selectFrom('settings').select('value').where('key', '=', param('key')),
)

/**
 * The settings in the database. A secret that none of the keys can decrypt counts as not set.
 * @param defaults the values of settings that were never changed, which may depend on the content
 */
export function openSettings(dependencies: Dependencies, defaults: () => PublicValues) {
  const { db, clock, log, keys } = dependencies
  const [currentKey] = keys
  const unreadable = new Set<string>()
  const changes = new EventEmitter()

  function decryptWithAny(setting: string, stored: string): string {
    for (const key of keys) {
      const secret = decrypt(key, setting, stored)
      if (secret !== null) return secret
    }
    // A secret is read with every enquiry and every email, so each unreadable one is logged once.
    if (!unreadable.has(stored))
      log('error', 'API', 'A secret setting was encrypted with another SECRET_KEY. Please enter it again.', {
        setting,
      })
    unreadable.add(stored)
    return ''
  }

  async function upsert(db: Database, key: string, value: string) {
    const row = {
      value: isEncrypted(key) ? encrypt(currentKey, key, value) : value,
      updated_at: isoAfter(clock),
    }
    await db
      .insertInto('settings')
      .values({ key, ...row })
      // What stays as it is keeps its time, by which the retention waits.
      .onConflict(it => it.column('key').doUpdateSet(row).where('settings.value', '!=', row.value))
      .execute()
  }

  /** Once all secrets are encrypted with the current key, the previous key is no longer needed. */
  async function reencryptSecrets(within: Database) {
    const { rows } = await selectSettings(within, {})
    for (const { key, value } of rows) {
      if (!isEncrypted(key) || decrypt(currentKey, key, value) !== null) continue
      const secret = decryptWithAny(key, value)
      if (!secret) continue
      await upsert(within, key, secret)
      log('info', 'API', 'A secret setting is now encrypted with the current SECRET_KEY', { setting: key })
    }
  }

  async function replace(values: readonly (readonly [key: string, value: string])[], before?: Before) {
    await inTransaction(db, async transaction => {
      // SQLite has one writer; in PostgreSQL two concurrent changes could both pass their checks.
      if (isPostgres(db)) await sql`lock table settings in share row exclusive mode`.execute(transaction)
      await before?.(transaction)
      for (const [key, value] of values) await upsert(transaction, key, value)
      await reencryptSecrets(transaction)
    })
    changes.emit('change')
  }

  return {
    /** The current settings without the secrets, which are not read. @param from the transaction to read in, if any */
    async publicValues(from = db): Promise<PublicValues> {
      // Before the first wait, so that they belong to the content that the caller reads in the same turn.
      const initial = defaults()
      const { rows } = await selectPublicSettings(from, {})
      return { ...initial, ...Object.fromEntries(rows.map(({ key, value }) => [key, value])) }
    },
    /** One secret, decrypted; empty when it is not set. Read it where it is used and do not keep it. */
    async secret(key: EncryptedKey, from = db): Promise<string> {
      const { rows } = await selectSetting(from, { key })
      return rows[0] ? decryptWithAny(key, rows[0].value) : ''
    },
    /** Another text after each change, on this node or another. It holds no setting. */
    async revision() {
      // With the time of each change: a page may have been rendered before a value was changed back.
      const { rows } = await selectRevision(db, {})
      return hash('sha256', JSON.stringify(rows))
    },
    /** @param listener is called when a change of this node is stored, before `write` returns */
    onChange: (listener: () => void) => void changes.on('change', listener),
    /**
     * Replaces a value; a secret is encrypted before it is stored. Secrets that are still encrypted with the previous key
     * are encrypted with the current one. @param before is called in the transaction and throws to reject the change.
     * Changes are serialised, so that each is checked.
     */
    write: async <Key extends keyof StoredValues>(key: Key, value: StoredValues[Key], before?: Before) =>
      await replace([[key, value]], before),
    /** Stores the default of a setting that nobody has changed, so that another configuration no longer changes it. */
    async storeDefault(key: keyof PublicValues) {
      await db
        .insertInto('settings')
        .values({ key, value: defaults()[key], updated_at: isoAfter(clock) })
        .onConflict(conflict => conflict.column('key').doNothing())
        .execute()
    },
    writeTogether: async (values: Partial<StoredValues>, before?: Before) =>
      await replace(Object.entries(values), before),
  }
}

type Before = (transaction: Transaction) => Promise<void>
