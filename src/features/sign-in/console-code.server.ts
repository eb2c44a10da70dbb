import type { PendingSignIn } from '../../auth/session.ts'
import { type Clock, isoAfter } from '../../clock.ts'
import type { Database } from '../../database/tables.ts'

/** @returns the hash of the code that was printed on the server; null when there is none or it has expired. */
export async function findConsoleCode(db: Database, clock: Clock, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('console_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('expires_at', '>', isoAfter(clock))
    .executeTakeFirst()
  return row?.code_hash ?? null
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
 * user, and to the next ones.
 * @returns whether this pending sign-in still had it: of several concurrent requests, only one gets true.
 */
export async function consumePendingCode(
  transaction: Database,
  { user, tokenHash, codeHash }: Pick<PendingSignIn, 'user' | 'tokenHash' | 'codeHash'>,
): Promise<boolean> {
  await transaction
    .deleteFrom('console_codes')
    .where('user_id', '=', user.id)
    .where('code_hash', '=', codeHash)
    .execute()
  const consumed = await transaction
    .deleteFrom('pending_sign_ins')
    .where('user_id', '=', user.id)
    .where('code_hash', '=', codeHash)
    .returning('token_hash')
    .execute()
  return consumed.some(({ token_hash }) => token_hash === tokenHash)
}
