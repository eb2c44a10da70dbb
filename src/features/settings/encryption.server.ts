import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { NamedKey } from '../../keys.ts'

/** Stored with each secret, so that a later method can be distinguished from this one. */
const METHOD = 'aes-256-gcm'
/** Bytes, as GCM requires. Random: an agency changes secrets far too seldom for two to collide. */
const NONCE_LENGTH = 12
/** Bytes. */
const TAG_LENGTH = 16

/**
 * A secret setting as it is stored: `aes-256-gcm.<key id>.<nonce, text and tag in base64url>`. The setting's own name
 * is authenticated with it, so that one secret cannot replace another.
 */
export function encrypt({ id, key }: NamedKey, setting: string, secret: string): string {
  const nonce = randomBytes(NONCE_LENGTH)
  const cipher = createCipheriv(METHOD, key, nonce).setAAD(Buffer.from(setting))
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${METHOD}.${id}.${sealed.toString('base64url')}`
}

/** @returns the secret; null when it was encrypted with another key or for another setting, or is damaged. */
export function decrypt({ id, key }: NamedKey, setting: string, stored: string): string | null {
  const [method, keyId, encoded = ''] = stored.split('.')
  const sealed = Buffer.from(encoded, 'base64url')
  if (method !== METHOD || keyId !== id || sealed.length < NONCE_LENGTH + TAG_LENGTH) return null
  const decipher = createDecipheriv(METHOD, key, sealed.subarray(0, NONCE_LENGTH))
    .setAAD(Buffer.from(setting))
    .setAuthTag(sealed.subarray(-TAG_LENGTH))
  const text = decipher.update(sealed.subarray(NONCE_LENGTH, -TAG_LENGTH))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    // `final` throws only when the tag does not match.
    return null
  }
}
