import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Database } from '../database/tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import { type Clock, isoAfter, MAX_CLOCK_SKEW, minutes } from '../platform/clock.ts'
import type { Services } from '../services.ts'
import { type Authority, authorityOf, hashToken } from './session.ts'

/** An active token, with the current data of the user on whose behalf it acts. */
export type ApiToken = NonNullable<Awaited<ReturnType<typeof findApiToken>>>

/** The use of a token is recorded at most this often, so that a busy program does not write a row with each call. */
const RECORD_USE_EVERY = minutes(1)
/** Covers the calls that arrive while the first of them is still being recorded. */
const USE_RECORDS_PER_TOKEN = { name: 'token use records', count: 1, per: RECORD_USE_EVERY }

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Characters, of about six bits each: 178 bits, more than anyone can guess. */
const RANDOM_LENGTH = 30
/** Characters; enough for 32 bits. */
const CHECKSUM_LENGTH = 6
const TOKEN_PATTERN = /^lf_[a-z]+_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/**
 * `lf_<type>_`, 30 random characters and a checksum of 6. The prefix lets scanners of source code find a leaked token,
 * and the checksum distinguishes a real token from similar text.
 */
export function newApiToken(type: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('')
  return `lf_${type}_${random}${checksum(random)}`
}

/** Whether the format and the checksum are right; does not read the database. */
export function isApiToken(text: string): boolean {
  const [, random = '', suffix] = TOKEN_PATTERN.exec(text) ?? []
  return suffix !== undefined && suffix === checksum(random)
}

/** @returns null when the token is unknown, revoked or expired. */
export async function findApiToken(db: Database, clock: Clock, token: string) {
  const query = selectActive(db, clock).where('api_tokens.token_hash', '=', hashToken(token))
  const row = await query.executeTakeFirst()
  if (!row) return null
  return { id: row.id, lastUsedAt: row.last_used_at, ...authorityOf(row) }
}

/** The user of a token as they are now; null when it is revoked or expired. */
export async function readApiToken(db: Database, clock: Clock, id: string): Promise<Authority | null> {
  const row = await selectActive(db, clock).where('api_tokens.id', '=', id).executeTakeFirst()
  return row ? authorityOf(row) : null
}

/** One that was made while the clock was ahead is over when it is set back: it would live on for as long. */
function selectActive(db: Database, clock: Clock) {
  return db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select(['api_tokens.id', 'api_tokens.last_used_at'])
    .select(['users.id as user_id', 'users.email', 'users.name', 'users.role', 'users.inbox'])
    .where('api_tokens.expires_at', '>', isoAfter(clock))
    .where('api_tokens.created_at', '<=', isoAfter(clock, MAX_CLOCK_SKEW))
}

/** Records the use of a token, at most once a minute. No call waits for it or fails because of it. */
export function recordTokenUse(
  { db, clock, localRateLimiter }: Services,
  { id, lastUsedAt }: ApiToken,
  log: Log,
): void {
  const noted = lastUsedAt === null ? 0 : Date.parse(lastUsedAt)
  if (clock().getTime() - noted < RECORD_USE_EVERY) return
  const record = async () => {
    if (!(await localRateLimiter.tryConsume(USE_RECORDS_PER_TOKEN, id))) return
    await db
      .updateTable('api_tokens')
      .set({ last_used_at: isoAfter(clock) })
      .where('id', '=', id)
      .execute()
  }
  record().catch(error => log('warning', 'API', 'API token use not recorded', describeError(error)))
}

/** CRC-32 in base 62, as in the tokens of GitHub and others, so that their scanners can recognise ours. */
function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  while (text.length < CHECKSUM_LENGTH) {
    text = `${BASE62[rest % 62]}${text}`
    rest = Math.floor(rest / 62)
  }
  return text
}
