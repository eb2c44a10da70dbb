import { createHash } from 'node:crypto'
import { type Clock, days, isoAfter, minutes, seconds } from '../../clock.ts'
import { isPostgres } from '../../database/open.ts'
import type { Database, UserRow } from '../../database/tables.ts'

/** Wrong passwords after which an account rests: ten minutes at first, doubling to a day, never for good. */
const MOST_WRONG_PASSWORDS = 5
const FIRST_LOCK = minutes(10)
const LONGEST_LOCK = days(1)
/** Long enough for the password to be found right after all. */
const TELL_AFTER = seconds(5)

function isLocked(user: UserRow, clock: Clock): boolean {
  return user.locked_until !== null && user.locked_until > isoAfter(clock)
}

/**
 * Takes one of the tries that are left before the password is looked at, so that many at once are not more than
 * allowed. The last one lets the account rest at once; a right password takes that back. Where there is no account, or
 * it rests, a decoy is written to instead: a commit takes time, and that would tell who has an account.
 */
export async function takeTry(
  db: Database,
  clock: Clock,
  email: string,
): Promise<'none was left' | 'the last' | 'one of several'> {
  return await db.transaction().execute(async transaction => {
    const user = await transaction
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      // SQLite has one writer, so there the transaction alone keeps others out.
      .$if(isPostgres(db), query => query.forUpdate())
      .executeTakeFirst()
    if (!user || isLocked(user, clock)) {
      await writeDecoy(transaction, email)
      return 'none was left'
    }
    const tries = user.failed_sign_ins + 1
    const locked_until = tries < MOST_WRONG_PASSWORDS ? null : isoAfter(clock, restAfter(tries))
    const lock_letter_due_at = locked_until && isoAfter(clock, TELL_AFTER)
    await transaction
      .updateTable('users')
      .set({ failed_sign_ins: tries, locked_until, lock_letter_due_at })
      .where('id', '=', user.id)
      .execute()
    return locked_until ? 'the last' : 'one of several'
  })
}

async function writeDecoy(db: Database, email: string) {
  await db
    .updateTable('decoys')
    .set(eb => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', createHash('sha256').update(email).digest().readUInt8())
    .execute()
}

function restAfter(tries: number): number {
  return Math.min(LONGEST_LOCK, FIRST_LOCK * 2 ** (tries - MOST_WRONG_PASSWORDS))
}

export async function forgetWrongPasswords(db: Database, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ failed_sign_ins: 0, locked_until: null, lock_letter_due_at: null })
    .where('id', '=', userId)
    .execute()
}
