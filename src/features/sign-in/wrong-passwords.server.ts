import { createHash } from 'node:crypto'
import { accountLockedEmail, readSignature } from '../../auth/account-emails.ts'
import { lockUserByEmail } from '../../auth/lock-user.ts'
import { isWithin } from '../../database/lifetime.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Clock, days, isoAfter, minutes, seconds } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import type { KnownBrowser } from './known-browser.server.ts'

/** Wrong passwords after which an account is locked: ten minutes at first, doubling up to a day, never permanently. */
const MAX_WRONG_PASSWORDS = 5
const FIRST_LOCKOUT = minutes(10)
const MAX_LOCKOUT = days(1)
/** After this long without a wrong password, earlier ones no longer count. */
const RESET_AFTER = days(1)
/** Longer than the check of a password takes: if it is right, no email is sent. */
const EMAIL_AFTER = seconds(5)

/** Counted for an account, or for one browser known to it. */
interface FailedAttempts {
  readonly failed_sign_ins: number
  readonly locked_until: string | null
  readonly last_failed_at: string | null
}

const NONE: FailedAttempts = { failed_sign_ins: 0, locked_until: null, last_failed_at: null }

function isLocked({ locked_until }: FailedAttempts, clock: Clock): boolean {
  return locked_until !== null && isWithin(locked_until, clock, 0, MAX_LOCKOUT)
}

function countAttempt({ failed_sign_ins, last_failed_at }: FailedAttempts, clock: Clock) {
  const isExpired = last_failed_at !== null && !isWithin(last_failed_at, clock, -RESET_AFTER, 0)
  const attempts = (isExpired ? 0 : failed_sign_ins) + 1
  return {
    failed_sign_ins: attempts,
    locked_until: attempts < MAX_WRONG_PASSWORDS ? null : isoAfter(clock, lockoutDuration(attempts)),
    last_failed_at: isoAfter(clock),
  }
}

/**
 * Consumes an attempt before the password is checked, so that concurrent guesses cannot exceed the limit. The last
 * attempt locks the account immediately; a right password unlocks it. A known browser has its own attempts, so that
 * strangers cannot lock out its owner and it cannot use up theirs. When there is no account, or it is locked, a dummy
 * row is written instead: without the commit the reply would be faster, which would show who has an account.
 */
export async function consumeAttempt(
  db: Database,
  clock: Clock,
  email: string,
  browser: KnownBrowser | null,
): Promise<'no attempts left' | 'last attempt' | 'attempts left'> {
  return await inTransaction(db, async transaction => {
    const user = await lockUserByEmail(transaction, email)
    const browserId = user && browser?.idFor(user.id)
    const attempts = browserId ? await readAttempts(transaction, user.id, browserId) : user
    if (!user || !attempts || isLocked(attempts, clock)) {
      await writeDummyAttempt(transaction, email)
      return 'no attempts left'
    }
    const counted = countAttempt(attempts, clock)
    const lock_email_due_at = counted.locked_until && isoAfter(clock, EMAIL_AFTER)
    if (browserId) await writeAttempts(transaction, user.id, browserId, counted)
    if (!browserId || lock_email_due_at)
      await writeToUser(transaction, user.id, { ...(!browserId && counted), lock_email_due_at })
    return counted.locked_until ? 'last attempt' : 'attempts left'
  })
}

type Counted = ReturnType<typeof countAttempt>

async function readAttempts(transaction: Database, userId: string, browserId: string) {
  const row = await transaction
    .selectFrom('browser_login_attempts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('token_hash', '=', browserId)
    .executeTakeFirst()
  return row ?? NONE
}

async function writeAttempts(transaction: Database, userId: string, browserId: string, counted: Counted) {
  await transaction
    .insertInto('browser_login_attempts')
    .values({ user_id: userId, token_hash: browserId, ...counted })
    .onConflict(conflict => conflict.columns(['user_id', 'token_hash']).doUpdateSet(counted))
    .execute()
}

async function writeToUser(transaction: Database, userId: string, change: Partial<UserRow>) {
  await transaction.updateTable('users').set(change).where('id', '=', userId).execute()
}

async function writeDummyAttempt(db: Database, email: string) {
  await db
    .updateTable('dummy_login_attempts')
    .set(eb => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', createHash('sha256').update(email).digest().readUInt8())
    .execute()
}

/** Milliseconds. */
function lockoutDuration(attempts: number): number {
  return Math.min(MAX_LOCKOUT, FIRST_LOCKOUT * 2 ** (attempts - MAX_WRONG_PASSWORDS))
}

/** Resets only the count of this browser: the wrong passwords entered in other browsers still count. */
export async function resetWrongPasswords(db: Database, userId: string, browser: KnownBrowser | null) {
  const browserId = browser?.idFor(userId)
  if (!browserId)
    return await writeToUser(db, userId, {
      failed_sign_ins: 0,
      locked_until: null,
      last_failed_at: null,
      lock_email_due_at: null,
    })
  const { locked_until } =
    (await db
      .deleteFrom('browser_login_attempts')
      .where('user_id', '=', userId)
      .where('token_hash', '=', browserId)
      .returning('locked_until')
      .executeTakeFirst()) ?? NONE
  // The last attempt had the right password, so no email about a lock is sent.
  if (locked_until) await writeToUser(db, userId, { lock_email_due_at: null })
}

/** Deletes counts that no longer apply. No lock lasts longer than that. */
export async function deleteOldAttempts(db: Database, clock: Clock): Promise<void> {
  await db
    .deleteFrom('browser_login_attempts')
    .where('last_failed_at', '<=', isoAfter(clock, -RESET_AFTER))
    .execute()
}

/**
 * Sends an email to the owners of locked accounts. The login does not send it itself: the time of its reply must not
 * show whether there is such an account.
 */
export async function sendLockEmails(services: Services): Promise<void> {
  const { db, clock, outbox } = services
  const isDue = db.selectFrom('users').select('id').where('lock_email_due_at', '<=', isoAfter(clock))
  if (!(await isDue.limit(1).executeTakeFirst())) return
  const signature = await readSignature(services)
  await inTransaction(db, async transaction => {
    // When two nodes do this concurrently, the second finds no rows.
    const owners = await transaction
      .updateTable('users')
      .set({ lock_email_due_at: null })
      .where('lock_email_due_at', '<=', isoAfter(clock))
      .returning(['email', 'name'])
      .execute()
    for (const owner of owners) await outbox.add(transaction, accountLockedEmail(owner, signature), null)
  })
}
