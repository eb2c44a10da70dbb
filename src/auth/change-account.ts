import type { Database } from '../database/tables.ts'
import { deleteSessionsOf } from './session.ts'

/** Sets a new password as `replacePassword` does, and resets the count of wrong codes. */
export async function setPassword(transaction: Database, userId: string, passwordHash: string) {
  await replacePassword(transaction, userId, passwordHash)
  await transaction.updateTable('users').set({ wrong_codes: 0 }).where('id', '=', userId).execute()
}

/**
 * Sets a new password and deletes what depended on the old one, except sessions: trusted devices, pending sign-ins, a
 * code printed on the server and links for another password. Resets the count of wrong passwords.
 */
export async function replacePassword(transaction: Database, userId: string, passwordHash: string) {
  await transaction
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      failed_sign_ins: 0,
      locked_until: null,
      last_failed_at: null,
      lock_email_due_at: null,
    })
    .where('id', '=', userId)
    .execute()
  await transaction.deleteFrom('browser_login_attempts').where('user_id', '=', userId).execute()
  await deletePasswordLinks(transaction, userId)
  await deleteTrustedDevices(transaction, userId)
  await deletePendingSignIns(transaction, userId)
}

/** Links that were sent before no longer work. */
export async function deletePasswordLinks(transaction: Database, userId: string): Promise<void> {
  await transaction.deleteFrom('password_links').where('user_id', '=', userId).execute()
}

/** The next sign-in of each browser asks for a code again. */
export async function deleteTrustedDevices(transaction: Database, userId: string): Promise<void> {
  await transaction.deleteFrom('trusted_devices').where('user_id', '=', userId).execute()
}

/** A person who was waiting for a code must enter the password again. */
export async function deletePendingSignIns(transaction: Database, userId: string): Promise<void> {
  await transaction.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('console_codes').where('user_id', '=', userId).execute()
}

/** Every browser needs the password and a code again, at whatever step of the sign-in it was. */
export async function endEverySignIn(transaction: Database, userId: string): Promise<void> {
  await deletePasswordLinks(transaction, userId)
  await deleteTrustedDevices(transaction, userId)
  await deletePendingSignIns(transaction, userId)
  await deleteSessionsOf(transaction, userId)
}

/** Somebody who uses a link reads the emails to the address to which it was sent, which may no longer be that of the user. */
export async function markVerified(
  db: Database,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  const query = db.updateTable('users').set({ email_verified: 1 })
  await query.where('id', '=', id).where('email', '=', email).execute()
}
