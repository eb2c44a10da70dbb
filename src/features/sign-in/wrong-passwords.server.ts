import { createHash } from 'node:crypto'
import { type Clock, days, isoAfter, minutes, seconds } from '../../clock.ts'
import { isPostgres } from '../../database/engine.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import type { KnownBrowser } from './known-browser.server.ts'

/** Wrong passwords after which an account rests: ten minutes at first, doubling to a day, never for good. */
const MAX_WRONG_PASSWORDS = 5
const FIRST_LOCKOUT = minutes(10)
const MAX_LOCKOUT = days(1)
/** Without a wrong password for so long, those before no longer count. */
const RESET_AFTER = days(1)
/** Long enough for the password to be found right after all. */
const EMAIL_AFTER = seconds(5)

/** What is counted against an account, or against one browser that it knows. */
interface FailedAttempts {
  readonly failed_sign_ins: number
  readonly locked_until: string | null
  readonly last_failed_at: string | null
}

const NONE: FailedAttempts = { failed_sign_ins: 0, locked_until: null, last_failed_at: null }

function isLocked({ locked_until }: FailedAttempts, clock: Clock): boolean {
  return locked_until !== null && locked_until > isoAfter(clock)
}

/** With one more wrong password. */
function countAttempt({ failed_sign_ins, last_failed_at }: FailedAttempts, clock: Clock) {
  const isForgotten = last_failed_at !== null && last_failed_at <= isoAfter(clock, -RESET_AFTER)
  const tries = (isForgotten ? 0 : failed_sign_ins) + 1
  return {
    failed_sign_ins: tries,
    locked_until: tries < MAX_WRONG_PASSWORDS ? null : isoAfter(clock, lockoutDuration(tries)),
    last_failed_at: isoAfter(clock),
  }
}

/**
 * Takes one of the tries that are left before the password is looked at, so that many at once are not more than
 * allowed. The last one lets the account rest at once; a right password takes that back. A browser that the account
 * knows has tries of its own, so that strangers cannot lock its owner out, and it cannot use up theirs. Where there is
 * no account, or it rests, a decoy is written to instead: a commit takes time, and that would tell who has an account.
 */
export async function consumeAttempt(
  db: Database,
  clock: Clock,
  email: string,
  browser: KnownBrowser | null,
): Promise<'none was left' | 'the last' | 'one of several'> {
  return await db.transaction().execute(async transaction => {
    const user = await transaction
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      // SQLite has one writer, so there the transaction alone keeps others out.
      .$if(isPostgres(db), query => query.forUpdate())
      .executeTakeFirst()
    const browserId = user && browser?.idFor(user.id)
    const tries = browserId ? await readAttempts(transaction, user.id, browserId) : user
    if (!user || !tries || isLocked(tries, clock)) {
      await writeDummyAttempt(transaction, email)
      return 'none was left'
    }
    const counted = countAttempt(tries, clock)
    const lock_email_due_at = counted.locked_until && isoAfter(clock, EMAIL_AFTER)
    if (browserId) await writeAttempts(transaction, user.id, browserId, counted)
    if (!browserId || lock_email_due_at)
      await writeToUser(transaction, user.id, { ...(!browserId && counted), lock_email_due_at })
    return counted.locked_until ? 'the last' : 'one of several'
  })
}

type Counted = ReturnType<typeof countAttempt>

async function readAttempts(
  transaction: Database,
  userId: string,
  browserId: string,
): Promise<FailedAttempts> {
  const kept = await transaction
    .selectFrom('browser_login_attempts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('token_hash', '=', browserId)
    .executeTakeFirst()
  return kept ?? NONE
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

function lockoutDuration(tries: number): number {
  return Math.min(MAX_LOCKOUT, FIRST_LOCKOUT * 2 ** (tries - MAX_WRONG_PASSWORDS))
}

/** A right password says nothing of those who gave wrong ones in other browsers: only its own count begins anew. */
export async function resetWrongPasswords(
  db: Database,
  userId: string,
  browser: KnownBrowser | null,
): Promise<void> {
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
  // The last try was the right one after all, so there is nothing to tell.
  if (locked_until) await writeToUser(db, userId, { lock_email_due_at: null })
}

/** Removes what no longer counts; no lock lasts longer. */
export async function deleteOldAttempts(db: Database, clock: Clock): Promise<void> {
  await db
    .deleteFrom('browser_login_attempts')
    .where('last_failed_at', '<=', isoAfter(clock, -RESET_AFTER))
    .execute()
}
