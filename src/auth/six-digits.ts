import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/** Codes that go out in an email and come back typed. */

/** Six digits; each of the million codes is equally likely. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Keyed, because an attacker with a copy of the database would immediately reverse a plain hash of six digits. */
export function hashCode(key: Buffer, code: string): string {
  return createHmac('sha256', key).update(code).digest('hex')
}

export function isCodeRight(key: Buffer, code: string, stored: string): boolean {
  return timingSafeEqual(Buffer.from(hashCode(key, code)), Buffer.from(stored))
}
