import type { Database } from '../database/tables.ts'
import { deleteSessionsOf } from './session.ts'

/**
 * Puts another password in place, and with it ends all that the old one opened but sessions: trusted devices, sign-ins
 * that wait for a code, a code from the server. Wrong passwords and codes so far are forgotten.
 */
export async function setPassword(
  transaction: Database,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      failed_sign_ins: 0,
      locked_until: null,
      last_failed_at: null,
      lock_email_due_at: null,
      wrong_codes: 0,
    })
    .where('id', '=', userId)
    .execute()
  await transaction.deleteFrom('browser_login_attempts').where('user_id', '=', userId).execute()
  await deleteTrustedDevices(transaction, userId)
  await deletePendingSignIns(transaction, userId)
}

/** The next sign-in of each browser asks for a code again. */
export async function deleteTrustedDevices(transaction: Database, userId: string): Promise<void> {
  await transaction.deleteFrom('trusted_devices').where('user_id', '=', userId).execute()
}

/** Whoever waits for a code has to give the password again. */
export async function deletePendingSignIns(transaction: Database, userId: string): Promise<void> {
  await transaction.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('console_codes').where('user_id', '=', userId).execute()
}

/** Every browser has to give password and code again, wherever it was in the sign-in. */
export async function endEverySignIn(transaction: Database, userId: string): Promise<void> {
  await deleteTrustedDevices(transaction, userId)
  await deletePendingSignIns(transaction, userId)
  await deleteSessionsOf(transaction, userId)
}
