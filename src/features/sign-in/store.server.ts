import { endEverySignIn } from '../../auth/change-account.ts'
import { PENDING_LIFETIME } from '../../auth/lifetimes.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { hashToken, newToken, type PendingSignIn } from '../../auth/session.ts'
import { whereWithin } from '../../database/lifetime.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Clock, days, isoAfter, minutes } from '../../platform/clock.ts'

export const CODE_LIFETIME = minutes(5)
/** Wrong codes after which a pending sign-in is deleted. */
const MAX_WRONG_CODES = 5
export const TRUST_LIFETIME = days(30)

/** @param email in its canonical form */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

export interface StoredCode {
  readonly hash: string
  readonly expiresAt: string
}

export const newStoredCode = (clock: Clock, hash: string): StoredCode => ({
  hash,
  expiresAt: isoAfter(clock, CODE_LIFETIME),
})

/** @param code works no longer here than it does elsewhere @returns the token for the cookie */
export async function createPending(db: Database, clock: Clock, userId: string, code: StoredCode) {
  const token = newToken()
  await db
    .insertInto('pending_sign_ins')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: isoAfter(clock),
      failures: 0,
      ...codeColumns(clock, code),
    })
    .execute()
  return token
}

/**
 * Replaces the code; wrong codes entered so far still count.
 * @returns false when another request has replaced it since `pending` was read: a double click sends one email.
 */
export async function replaceCode(
  db: Database,
  clock: Clock,
  pending: Pick<PendingSignIn, 'tokenHash' | 'codeSentAt'>,
  codeHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pending_sign_ins')
    .set(codeColumns(clock, newStoredCode(clock, codeHash)))
    .where('token_hash', '=', pending.tokenHash)
    .where('code_sent_at', '=', pending.codeSentAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether there is a pending sign-in that waits for this code, or for any. */
export async function isPending(db: Database, tokenHash: string, codeHash?: string): Promise<boolean> {
  const pending = db.selectFrom('pending_sign_ins').select('code_hash').where('token_hash', '=', tokenHash)
  const row = await pending.executeTakeFirst()
  return row !== undefined && (codeHash === undefined || row.code_hash === codeHash)
}

function codeColumns(clock: Clock, { hash, expiresAt }: StoredCode) {
  return { code_hash: hash, code_expires_at: expiresAt, code_sent_at: isoAfter(clock) }
}

/**
 * Consumes an attempt before the code is checked, so that concurrent guesses cannot exceed the limit.
 * @returns false when none was left, in which case the pending sign-in is deleted.
 */
export async function consumeAttempt(db: Database, tokenHash: string): Promise<boolean> {
  const updated = await db
    .updateTable('pending_sign_ins')
    .set(eb => ({ failures: eb('failures', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('failures', '<', MAX_WRONG_CODES)
    .returning('failures')
    .executeTakeFirst()
  return updated !== undefined
}

/** Deletes the pending sign-in after its fifth wrong code. */
export async function deleteExhaustedPending(db: Database, tokenHash: string): Promise<void> {
  await db
    .deleteFrom('pending_sign_ins')
    .where('token_hash', '=', tokenHash)
    .where('failures', '>=', MAX_WRONG_CODES)
    .execute()
}

export async function deletePending(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('token_hash', '=', tokenHash).execute()
}

export async function trustDevice(db: Database, clock: Clock, userId: string): Promise<string> {
  const token = newToken()
  await db
    .insertInto('trusted_devices')
    .values({ token_hash: hashToken(token), user_id: userId, expires_at: isoAfter(clock, TRUST_LIFETIME) })
    .execute()
  return token
}

export async function isTrustedDevice(db: Database, clock: Clock, userId: string, token: string) {
  const row = await db
    .selectFrom('trusted_devices')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('user_id', '=', userId)
    .where(whereWithin('expires_at', clock, 0, TRUST_LIFETIME))
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteExpired(db: Database, clock: Clock): Promise<void> {
  await db
    .deleteFrom('pending_sign_ins')
    .where('created_at', '<=', isoAfter(clock, -PENDING_LIFETIME))
    .execute()
  await db.deleteFrom('trusted_devices').where('expires_at', '<=', isoAfter(clock)).execute()
}

/**
 * Stores a code that was printed on the server, for any pending sign-in and the next ones, until one of them consumes
 * it. Unblocks an account whose codes were blocked.
 */
export async function saveConsoleCode(db: Database, clock: Clock, userId: string, codeHash: string) {
  await inTransaction(db, async transaction => {
    await lockUser(transaction, userId)
    const code = newStoredCode(clock, codeHash)
    await insertConsoleCode(transaction, userId, code)
    await transaction
      .updateTable('pending_sign_ins')
      .set(codeColumns(clock, code))
      .where('user_id', '=', userId)
      .execute()
    await resetWrongCodes(transaction, userId)
  })
}

/** Stores a code that is printed on the server, for the sign-ins that begin while it works; the user is locked. */
export async function insertConsoleCode(
  transaction: Database,
  userId: string,
  { hash, expiresAt }: StoredCode,
): Promise<void> {
  const row = { code_hash: hash, expires_at: expiresAt }
  await transaction
    .insertInto('console_codes')
    .values({ user_id: userId, ...row })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/**
 * Changes the address of a user and ends every sign-in. The address of the default admin always counts as verified.
 * @param email in its canonical form, not used by another user
 */
export async function changeEmail(db: Database, userId: string, email: string): Promise<void> {
  await inTransaction(db, async transaction => {
    await transaction
      .updateTable('users')
      .set(eb => ({ email, email_verified: eb.ref('is_default') }))
      .where('id', '=', userId)
      .execute()
    await endEverySignIn(transaction, userId)
  })
}

/** Wrong codes in a row, over any time, after which only an admin or a code printed on the server unblocks the account. */
export const MAX_WRONG_CODES_IN_A_ROW = 100

/**
 * Counts a code as wrong before it is checked, so that concurrent guesses cannot exceed the limit.
 * @returns the wrong codes in a row, including this one; null when the limit was already reached.
 */
export async function countWrongCode(db: Database, userId: string): Promise<number | null> {
  const counted = await db
    .updateTable('users')
    .set(eb => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
    .where('id', '=', userId)
    .where('wrong_codes', '<', MAX_WRONG_CODES_IN_A_ROW)
    .returning('wrong_codes')
    .executeTakeFirst()
  return counted?.wrong_codes ?? null
}

export async function resetWrongCodes(db: Database, userId: string): Promise<void> {
  await db.updateTable('users').set({ wrong_codes: 0 }).where('id', '=', userId).execute()
}
