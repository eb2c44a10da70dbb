import type { PendingSignIn } from '../../auth/session.ts'
import { whereWithin } from '../../database/lifetime.ts'
import type { Database } from '../../database/tables.ts'
import { type Clock, isoAfter } from '../../platform/clock.ts'
import { CODE_LIFETIME } from './store.server.ts'

/** @returns the code that was printed on the server; undefined when there is none or it has expired. */
export async function findConsoleCode(db: Database, clock: Clock, userId: string) {
  const row = await db
    .selectFrom('console_codes')
    .select(['code_hash', 'expires_at'])
    .where('user_id', '=', userId)
    .where(whereWithin('expires_at', clock, 0, CODE_LIFETIME))
    .executeTakeFirst()
  return row && { hash: row.code_hash, expiresAt: row.expires_at }
}

/** Deletes a code that was printed before an email went out: from then on the code in the email is the only one. */
export async function deleteConsoleCode(db: Database, userId: string, printedBefore: Date): Promise<void> {
  await db
    .deleteFrom('console_codes')
    .where('user_id', '=', userId)
    .where(
      'expires_at',
      '<=',
      isoAfter(() => printedBefore, CODE_LIFETIME),
    )
    .execute()
}

/**
 * Whether the code of a pending sign-in is the one that was printed on the server, which it then is for as long as the
 * code works.
 */
export async function isConsoleCode(
  db: Database,
  { user, codeHash }: Pick<PendingSignIn, 'user' | 'codeHash'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('console_codes')
    .select('user_id')
    .where('user_id', '=', user.id)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes a code wherever it is stored: a code that was printed on the server belongs to every pending sign-in of its
 * user, and to the next ones. So does one that was printed while mail failed and was not used: from now on emails are
 * tried again.
 * @returns whether this pending sign-in still had it: of several concurrent requests, only one gets true.
 */
export async function consumePendingCode(
  transaction: Database,
  { user, tokenHash, codeHash }: Pick<PendingSignIn, 'user' | 'tokenHash' | 'codeHash'>,
): Promise<boolean> {
  const consumed = await transaction
    .deleteFrom('pending_sign_ins')
    .where('user_id', '=', user.id)
    .where('code_hash', '=', codeHash)
    .returning('token_hash')
    .execute()
  if (!consumed.some(({ token_hash }) => token_hash === tokenHash)) return false
  await transaction.deleteFrom('console_codes').where('user_id', '=', user.id).execute()
  return true
}
