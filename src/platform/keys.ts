import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'

type Secrets = Pick<Config, 'secretKey' | 'secretKeyOld' | 'dataDir'>

export type Keys = Readonly<ReturnType<typeof openKeys>>

/** A key with the id that is stored beside what it encrypted, so that a wrong key can be distinguished from a damaged value. */
export interface NamedKey {
  readonly id: string
  readonly key: Buffer
}

/** Enough to distinguish the keys of one installation; the id reveals nothing about the key. */
const KEY_ID_BYTES = 4

/**
 * Derives the keys from `SECRET_KEY`, or from the secret in the data folder, which is created on first use: one for each purpose,
 * so that a token made for one cannot be used for another. Of several, the first is used for what is new, and the second, if
 * any, only recognises, verifies or decrypts what is older.
 */
export function openKeys(config: Secrets) {
  const secret = config.secretKey ?? readOrCreateSecret(config.dataDir)
  const { secretKeyOld } = config
  return {
    /** Signs CSRF tokens, which anyone can ask for: as an object, because preparing a key takes longer than signing. */
    csrf: createSecretKey(derive(secret, 'csrf')),
    /** Hashes sign-in codes in the database: a plain hash of six digits is broken by trying all of them. */
    signInCode: derive(secret, 'sign-in code'),
    /** Hashes the codes that visitors get by email. */
    visitorCode: derive(secret, 'visitor code'),
    /** Hashes the six digits of a test email. */
    mailTest: derive(secret, 'mail test'),
    /** Identifies a mail provider with its account. */
    mailProvider: named('mail provider', secret, secretKeyOld),
    /** Hashes who got an acknowledgement, so that the database does not say it for longer than its messages do. */
    acknowledged: derive(secret, 'acknowledged'),
    /** Encrypts the secret settings in the database. */
    settings: named('secret settings', secret, secretKeyOld),
    /** Hashes entries of the erase-again list. */
    erased: named('erased', secret, secretKeyOld),
    /** Signs backups. */
    backups: named('backup', secret, secretKeyOld),
  }
}

function named(purpose: string, secret: string, old: string | null): [NamedKey, ...NamedKey[]] {
  return [namedKey(purpose, secret), ...(old ? [namedKey(purpose, old)] : [])]
}

function namedKey(purpose: string, secret: string): NamedKey {
  return {
    id: derive(secret, `${purpose} id`).toString('hex', 0, KEY_ID_BYTES),
    key: derive(secret, purpose),
  }
}

/** The keys that a restore needs, as far as they exist; creates none. */
export function findKeys({ secretKey, secretKeyOld, dataDir }: Secrets) {
  const file = join(dataDir, 'secret.key')
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  const secrets = [secretKey ?? stored, secretKeyOld].filter(secret => secret !== null)
  return {
    erased: secrets.map(secret => namedKey('erased', secret)),
    backups: secrets.map(secret => namedKey('backup', secret)),
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

/** Stored with each secret, so that a later method can be distinguished from this one. */
const METHOD = 'aes-256-gcm'
/** Bytes, as GCM requires. Random: an agency changes secrets far too seldom for two to collide. */
const NONCE_LENGTH = 12
/** Bytes. */
const TAG_LENGTH = 16

/**
 * A secret as it is stored: `aes-256-gcm.<key id>.<nonce, text and tag in base64url>`. @param name of what it belongs to, such as
 * a setting: it is authenticated with the secret, so that one cannot replace another
 */
export function encrypt({ id, key }: NamedKey, name: string, secret: string): string {
  const nonce = randomBytes(NONCE_LENGTH)
  const cipher = createCipheriv(METHOD, key, nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${METHOD}.${id}.${sealed.toString('base64url')}`
}

/** @returns the secret; null when it was encrypted with another key or for another name, or is damaged */
export function decrypt({ id, key }: NamedKey, name: string, stored: string): string | null {
  const [method, keyId, encoded = ''] = stored.split('.')
  const sealed = Buffer.from(encoded, 'base64url')
  if (method !== METHOD || keyId !== id || sealed.length < NONCE_LENGTH + TAG_LENGTH) return null
  const decipher = createDecipheriv(METHOD, key, sealed.subarray(0, NONCE_LENGTH))
    .setAAD(Buffer.from(name))
    .setAuthTag(sealed.subarray(-TAG_LENGTH))
  const text = decipher.update(sealed.subarray(NONCE_LENGTH, -TAG_LENGTH))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    // `final` throws only when the tag does not match.
    return null
  }
}
