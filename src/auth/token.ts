import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits for a cookie or a link; only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a session, device or link token: enough to recognise it, useless to a thief. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** A security token that only the holder of `anchor` can use: the id of the session, or what stands for it before. */
export function issueCsrfToken(key: Buffer, binding: string): string {
  const nonce = randomBytes(16).toString('base64url')
  return `${nonce}.${sign(key, binding, nonce)}`
}

export function isCsrfToken(key: Buffer, binding: string, token: string): boolean {
  const [nonce = '', signature = ''] = token.split('.')
  const expected = Buffer.from(sign(key, binding, nonce))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function sign(key: Buffer, binding: string, nonce: string): string {
  return createHmac('sha256', key).update(`${nonce}.${binding}`).digest('base64url')
}
