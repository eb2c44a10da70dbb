import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** One key for each purpose, so that what is made for one cannot be used for another. */
export interface Keys {
  /** Signs the security tokens of forms and calls. */
  readonly csrf: Buffer
  /** Hides the six digits of a sign-in code in the database: a plain hash of them is found by trying all. */
  readonly signInCode: Buffer
  /** The first encrypts the secret settings in the database; one that follows still opens what it has encrypted. */
  readonly settings: readonly [NamedKey, ...NamedKey[]]
  /** The first hashes what goes on the erase-again list; one that follows still finds what it has hashed. */
  readonly erased: readonly [NamedKey, ...NamedKey[]]
}

/** A key with the id that is stored beside what it has encrypted, so that another key is told from a damaged value. */
export interface NamedKey {
  readonly id: string
  readonly key: Buffer
}

/** Enough to tell the keys of one installation apart; the id says nothing about the key. */
const KEY_ID_BYTES = 4

/** Derives the keys from `SECRET_KEY`, or from the secret kept in the data folder, which is made on first use. */
export function openKeys(config: Pick<Config, 'secretKey' | 'secretKeyOld' | 'dataDir'>): Keys {
  const secret = config.secretKey ?? keptSecret(config.dataDir)
  const { secretKeyOld } = config
  return {
    csrf: derive(secret, 'csrf'),
    signInCode: derive(secret, 'sign-in code'),
    settings: [settingsKey(secret), ...(secretKeyOld ? [settingsKey(secretKeyOld)] : [])],
    erased: [erasedKey(secret), ...(secretKeyOld ? [erasedKey(secretKeyOld)] : [])],
  }
}

function settingsKey(secret: string): NamedKey {
  return {
    id: derive(secret, 'secret settings id').toString('hex', 0, KEY_ID_BYTES),
    key: derive(secret, 'secret settings'),
  }
}

/** Those that read the erase-again list, as far as there are any: nothing is made. */
export function findErasedKeys({
  secretKey,
  secretKeyOld,
  dataDir,
}: Pick<Config, 'secretKey' | 'secretKeyOld' | 'dataDir'>): NamedKey[] {
  const file = join(dataDir, 'secret.key')
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  return [secretKey ?? kept, secretKeyOld].filter(secret => secret !== null).map(erasedKey)
}

function erasedKey(secret: string): NamedKey {
  return {
    id: derive(secret, 'erased id').toString('hex', 0, KEY_ID_BYTES),
    key: derive(secret, 'erased'),
  }
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `landfall ${purpose}`, 32))
}

function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}
