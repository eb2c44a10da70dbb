import type { ExpressionBuilder } from 'kysely'
import { type Clock, hours, isoAfter, minutes } from '../clock.ts'
import { newId } from '../database/id.ts'
import type { Database, Tables } from '../database/tables.ts'
import { hashToken, newToken } from './token.ts'

/** A session ends this long after its last call … */
const IDLE_TIMEOUT = minutes(60)
/** … and in any case this long after it began. */
const MAX_LIFETIME = hours(12)
/** The last call is noted at most this often, so that reading a list does not write a row each time. */
const RECORD_EVERY = minutes(1)

export interface SignedInUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: 'admin' | 'editor' | 'viewer'
}

export interface Session {
  readonly id: string
  readonly user: SignedInUser
}

/** Begins a session. @returns the token for the cookie; the database keeps its hash. */
export async function createSession(
  db: Database,
  clock: Clock,
  userId: string,
  userAgent: string,
): Promise<string> {
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

/** The live session of a cookie, with its user as the database has them now; null when there is none. */
export async function findSession(db: Database, clock: Clock, token: string): Promise<Session | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.last_seen_at',
      'users.id as user_id',
      'users.email',
      'users.name',
      'users.role',
    ])
    .where('sessions.token_hash', '=', hashToken(token))
    .where(isActive(clock))
    .executeTakeFirst()
  if (!row) return null
  if (row.last_seen_at < isoAfter(clock, -RECORD_EVERY)) await recordActivity(db, clock, row.id)
  return { id: row.id, user: { id: row.user_id, email: row.email, name: row.name, role: row.role } }
}

/** The condition under which a session has not ended by itself. */
export function isActive(clock: Clock) {
  return (eb: ExpressionBuilder<Tables, 'sessions'>) =>
    eb.and([
      eb('sessions.last_seen_at', '>', isoAfter(clock, -IDLE_TIMEOUT)),
      eb('sessions.created_at', '>', isoAfter(clock, -MAX_LIFETIME)),
    ])
}

async function recordActivity(db: Database, clock: Clock, id: string) {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: isoAfter(clock) })
    .where('id', '=', id)
    .execute()
}

/** Ends one session at once. */
export async function deleteSession(db: Database, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Ends all sessions of a user at once, or all but one of them. @returns how many there were. */
export async function deleteSessionsOf(db: Database, userId: string, except?: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, query => query.where('id', '!=', except ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Gives a session another id and another token; it ends when it would have. Whoever holds the old token holds nothing.
 * @returns the token for the cookie; null when the session has ended meanwhile.
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

/** Removes the rows of sessions that have ended by themselves. */
export async function deleteExpiredSessions(db: Database, clock: Clock): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(eb =>
      eb.or([
        eb('last_seen_at', '<=', isoAfter(clock, -IDLE_TIMEOUT)),
        eb('created_at', '<=', isoAfter(clock, -MAX_LIFETIME)),
      ]),
    )
    .execute()
}

/** Between password and code. */
export interface PendingSignIn {
  readonly tokenHash: string
  readonly user: SignedInUser
  readonly codeHash: string
  readonly codeExpiresAt: string
  readonly codeSentAt: string
}

/** A code can be asked for again this long after the password was given; then one starts anew. */
export const PENDING_LIFETIME = hours(1)

/** The live pending sign-in of a cookie; null when there is none. */
export async function findPendingSignIn(
  db: Database,
  clock: Clock,
  token: string,
): Promise<PendingSignIn | null> {
  const row = await db
    .selectFrom('pending_sign_ins as pending')
    .innerJoin('users', 'users.id', 'pending.user_id')
    .select(['pending.token_hash', 'pending.code_hash', 'pending.code_expires_at', 'pending.code_sent_at'])
    .select(['users.id', 'users.email', 'users.name', 'users.role'])
    .where('pending.token_hash', '=', hashToken(token))
    .where('pending.created_at', '>', isoAfter(clock, -PENDING_LIFETIME))
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
