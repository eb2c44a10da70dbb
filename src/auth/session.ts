import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import { newId, pooledRandomBytes } from '../database/id.ts'
import { whereWithin } from '../database/lifetime.ts'
import type { Database, Tables } from '../database/tables.ts'
import { type Clock, hours, isoAfter, minutes } from '../platform/clock.ts'
import { PENDING_LIFETIME } from './lifetimes.ts'
import { type InboxGrant, type Permission, permissionsOf, type Role } from './permissions.ts'

/** A session expires this long after its last request … */
const IDLE_TIMEOUT = minutes(60)
/** … and in any case this long after it was created. */
const MAX_LIFETIME = hours(12)
/** The last request is recorded at most this often, so that not every read writes a row. */
const RECORD_EVERY = minutes(1)

export interface SignedInUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
}

/** A user and what they may do, as the database has them now. */
export interface Authority {
  readonly user: SignedInUser
  readonly permissions: readonly Permission[]
}

export interface Session extends Authority {
  readonly id: string
}

/** The credential that allowed a call, for a reply that continues, such as an event stream. */
export interface Grant {
  /** Of the session or the token. */
  readonly id: string
  /** Whether it is still valid, for what the call needs or for this. Does not extend a session. */
  isValid(needed?: Permission): Promise<boolean>
}

/** @returns the token for the cookie; the database stores only its hash. */
export async function createSession(db: Database, clock: Clock, userId: string, userAgent: string) {
  const token = newToken()
  const now = isoAfter(clock)
  await db
    .insertInto('sessions')
    .values({
      id: newId(clock()),
      token_hash: hashToken(token),
      user_id: userId,
      user_agent: userAgent.slice(0, 300),
      created_at: now,
      last_seen_at: now,
    })
    .execute()
  return token
}

/**
 * The active session of a cookie, with the user's current data; null when there is none.
 * @param isExtended false for a call that nobody has asked for, so that an open screen does not keep a session alive
 */
export async function findSession(db: Database, clock: Clock, token: string, isExtended = true) {
  const query = selectActive(db, clock).where('sessions.token_hash', '=', hashToken(token))
  const row = await query.executeTakeFirst()
  if (!row) return null
  if (isExtended && row.last_seen_at < isoAfter(clock, -RECORD_EVERY)) await recordActivity(db, clock, row.id)
  return { id: row.id, ...authorityOf(row) }
}

/** The user of a session as they are now; null when it is no longer active. Does not extend it. */
export async function readSession(db: Database, clock: Clock, id: string): Promise<Authority | null> {
  const row = await selectActive(db, clock).where('sessions.id', '=', id).executeTakeFirst()
  return row ? authorityOf(row) : null
}

function selectActive(db: Database, clock: Clock) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.last_seen_at'])
    .select(['users.id as user_id', 'users.email', 'users.name', 'users.role', 'users.inbox'])
    .where(isActive(clock))
}

/** @param row a user with the credential that they showed */
export function authorityOf({
  user_id: id,
  email,
  name,
  role,
  inbox,
}: Omit<SignedInUser, 'id'> & { readonly user_id: string; readonly inbox: InboxGrant }): Authority {
  return { user: { id, email, name, role }, permissions: permissionsOf(role, inbox) }
}

/** The SQL condition that a session has not expired, nor begun while the clock was ahead. */
export function isActive(clock: Clock) {
  return (eb: ExpressionBuilder<Tables, 'sessions'>) =>
    eb.and([
      whereWithin('sessions.last_seen_at', clock, -IDLE_TIMEOUT, 0),
      whereWithin('sessions.created_at', clock, -MAX_LIFETIME, 0),
    ])
}

async function recordActivity(db: Database, clock: Clock, id: string) {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: isoAfter(clock) })
    .where('id', '=', id)
    .execute()
}

export async function deleteSession(db: Database, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** @param except the id of a session to keep. @returns how many sessions were deleted. */
export async function deleteSessionsOf(db: Database, userId: string, except?: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, query => query.where('id', '!=', except ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Gives a session a new id and a new token, so that a stolen old token no longer works. Its expiry does not change.
 * @returns the token for the cookie; null when the session no longer exists.
 */
export async function renewSession(db: Database, clock: Clock, id: string): Promise<string | null> {
  const token = newToken()
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ id: newId(clock()), token_hash: hashToken(token) })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? token : null
}

export async function deleteExpiredSessions(db: Database, clock: Clock): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(eb => eb.not(isActive(clock)(eb)))
    .execute()
}

/** A sign-in whose password was right and whose code is still missing. */
export type PendingSignIn = NonNullable<Awaited<ReturnType<typeof findPendingSignIn>>>

/** The pending sign-in of a cookie; null when there is none or it has expired. */
export async function findPendingSignIn(db: Database, clock: Clock, token: string) {
  const row = await db
    .selectFrom('pending_sign_ins as pending')
    .innerJoin('users', 'users.id', 'pending.user_id')
    .select(['pending.token_hash', 'pending.code_hash', 'pending.code_expires_at', 'pending.code_sent_at'])
    .select(['users.id', 'users.email', 'users.name', 'users.role'])
    .where('pending.token_hash', '=', hashToken(token))
    .where(whereWithin('pending.created_at', clock, -PENDING_LIFETIME, 0))
    .executeTakeFirst()
  if (!row) return null
  const { id, email, name, role } = row
  return {
    tokenHash: row.token_hash,
    user: { id, email, name, role },
    codeHash: row.code_hash,
    codeExpiresAt: row.code_expires_at,
    codeSentAt: row.code_sent_at,
  }
}

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
  const nonce = pooledRandomBytes(16).toString('base64url')
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

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]

/** The most specific first: most browsers also name the browsers that they are compatible with. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** Describes a `User-Agent`, for example `Chrome on Windows`. A browser can send any value, so it is only a hint. */
export function describeDevice(userAgent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown browser'
}
