import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** One key for each purpose, so that a token made for one cannot be used for another. */
export interface Keys {
  /** Signs CSRF tokens. */
  readonly csrf: Buffer
  /** Hashes sign-in codes in the database: a plain hash of six digits is broken by trying all of them. */
  readonly signInCode: Buffer
  /** The first encrypts the secret settings in the database; the second, if any, only decrypts. */
  readonly settings: readonly [NamedKey, ...NamedKey[]]
  /** The first hashes new entries of the erase-again list; the second, if any, only finds older ones. */
  readonly erased: readonly [NamedKey, ...NamedKey[]]
}

/** A key with the id that is stored beside what it encrypted, so that a wrong key can be distinguished from a damaged value. */
export interface NamedKey {
  readonly id: string
  readonly key: Buffer
}

/** Enough to distinguish the keys of one installation; the id reveals nothing about the key. */
const KEY_ID_BYTES = 4

/** Derives the keys from `SECRET_KEY`, or from the secret in the data folder, which is created on first use. */
export function openKeys(config: Pick<Config, 'secretKey' | 'secretKeyOld' | 'dataDir'>): Keys {
  const secret = config.secretKey ?? readOrCreateSecret(config.dataDir)
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

/** The keys that read the erase-again list, as far as they exist; creates none. */
export function findErasedKeys({
  secretKey,
  secretKeyOld,
  dataDir,
}: Pick<Config, 'secretKey' | 'secretKeyOld' | 'dataDir'>): NamedKey[] {
  const file = join(dataDir, 'secret.key')
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  return [secretKey ?? stored, secretKeyOld].filter(secret => secret !== null).map(erasedKey)
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

function readOrCreateSecret(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}
