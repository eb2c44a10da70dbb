import { sql } from 'kysely'
import { isPostgres } from './engine.ts'
import type { Database } from './tables.ts'

/** Digits. A number with fewer is a slip, which several people may share. */
const MIN_DIGITS = 8
/** Digits that a number has with and without its country. */
const COMPARED_DIGITS = 9

/** The digits by which a phone number is recognised; null for what is no number. */
export function comparedDigits(phone: string | null): string | null {
  const plain = (phone ?? '').replace(/[ \-().+/]/g, '')
  return /^\d+$/.test(plain) && plain.length >= MIN_DIGITS ? plain.slice(-COMPARED_DIGITS) : null
}

/** The same digits of the phone number of a message. An index has exactly this expression. */
export function comparedPhone(db: Database) {
  const plain = sql`replace(replace(replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), '+', '')`
  return isPostgres(db) ? sql`right(${plain}, 9)` : sql`substr(${plain}, -9)`
}
