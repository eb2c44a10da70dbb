import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Clock, isoAfter, minutes } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import type { Services } from '../services.ts'
import type { SignedInUser } from './session.ts'
import { hashToken } from './token.ts'

/** A live token, with the user for whom it speaks as the database has them now. */
export interface ApiToken {
  readonly id: string
  readonly user: SignedInUser
  readonly lastUsedAt: string | null
}

/** Its use is noted at most this often, so that a busy program does not write a row with each call. */
const RECORD_USE_EVERY = minutes(1)
/** For the calls that come while the first of them is still being noted. */
const NOTES_PER_TOKEN = { name: 'notes of a token', count: 1, per: RECORD_USE_EVERY }

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Characters, of about six bits each: 178 bits, more than anyone can guess. */
const RANDOM_LENGTH = 30
/** Characters; enough for 32 bits. */
const CHECKSUM_LENGTH = 6
const TOKEN_PATTERN = /^lf_[a-z]+_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/**
 * `lf_<type>_`, 30 random characters, 6 of checksum. The prefix lets a scanner of source code find a token that was
 * left there, and the checksum tells a real one from a look-alike.
 */
export function newApiToken(type: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('')
  return `lf_${type}_${random}${checksum(random)}`
}

/** Whether this can be a token at all, told without a look into the database. */
export function isApiToken(text: string): boolean {
  const [, random = '', given] = TOKEN_PATTERN.exec(text) ?? []
  return given !== undefined && given === checksum(random)
}

/** The live token that this is; null when there is none, be it unknown, revoked or expired. */
export async function findApiToken(db: Database, clock: Clock, token: string): Promise<ApiToken | null> {
  const row = await db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select(['api_tokens.id', 'api_tokens.last_used_at'])
    .select(['users.id as user_id', 'users.email', 'users.name', 'users.role'])
    .where('api_tokens.token_hash', '=', hashToken(token))
    .where('api_tokens.expires_at', '>', isoAfter(clock))
    .executeTakeFirst()
  if (!row) return null
  const { id, last_used_at: lastUsedAt, user_id, email, name, role } = row
  return { id, lastUsedAt, user: { id: user_id, email, name, role } }
}

/** Notes that a token served, once a minute at most; nobody waits for it, and no call fails for it. */
export function recordTokenUse(
  { db, clock, localRateLimiter }: Services,
  { id, lastUsedAt }: ApiToken,
  log: Log,
): void {
  const noted = lastUsedAt === null ? 0 : Date.parse(lastUsedAt)
  if (clock().getTime() - noted < RECORD_USE_EVERY) return
  const note = async () => {
    if (!(await localRateLimiter.tryConsume(NOTES_PER_TOKEN, id))) return
    await db
      .updateTable('api_tokens')
      .set({ last_used_at: isoAfter(clock) })
      .where('id', '=', id)
      .execute()
  }
  note().catch(error => log('warning', 'API', 'The use of a token could not be noted', describeError(error)))
}

/** CRC-32 in base 62, as in the tokens of GitHub and others, so that their scanners can be taught ours. */
function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  while (text.length < CHECKSUM_LENGTH) {
    text = `${BASE62[rest % 62]}${text}`
    rest = Math.floor(rest / 62)
  }
  return text
}
