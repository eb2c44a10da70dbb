import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits for a cookie or a link; only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The database stores only this hash of a session, device or link token, so that a stolen copy contains no valid token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** @param binding the session's id, or the cookie that replaces it before sign-in: the token is valid only with that. */
export function issueCsrfToken(key: KeyObject, binding: string): string {
  const nonce = randomBytes(16).toString('base64url')
  return `${nonce}.${sign(key, binding, nonce)}`
}

export function isCsrfToken(key: KeyObject, binding: string, token: string): boolean {
  const [nonce = '', signature = ''] = token.split('.')
  const expected = Buffer.from(sign(key, binding, nonce))
  const actual = Buffer.from(signature)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function sign(key: KeyObject, binding: string, nonce: string): string {
  return createHmac('sha256', key).update(`${nonce}.${binding}`).digest('base64url')
}
