import { readSignature } from '../../auth/account-emails.ts'
import { assertStillAdmin } from '../../auth/assert-still-admin.ts'
import {
  type AdminCall,
  consumeNotification,
  notifyAdmins,
  type SensitiveChange,
} from '../../auth/notify-admins.ts'
import { hashPassword } from '../../auth/password.ts'
import { sendVerificationEmail } from '../../auth/send-verification-email.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { EmailSignature } from '../../mail/email.ts'
import type { Services } from '../../services.ts'
import { EMAIL_TAKEN_CODE, type NewUser, type UserAccount } from './contract.ts'
import { insertUser, isEmailTaken, lockStaff } from './store.server.ts'

export const EMAIL_TAKEN = 'Another user has this email address'

/** The change that notifies every admin of a new admin. */
export function newAdmin(
  what: 'adminAdded' | 'madeAdmin',
  { name, email }: Pick<UserAccount, 'name' | 'email'>,
  { texts }: EmailSignature,
): SensitiveChange {
  const { labels, sensitiveChange } = texts.emails
  return { what: sensitiveChange[what], facts: [[labels.admin, `${name} <${email}>`]] }
}

/** Adds a user and queues the email that asks them to confirm their address. @throws {HttpError} 409 */
export async function addUser(
  services: Services,
  { password, ...person }: NewUser,
  call: AdminCall,
): Promise<UserAccount> {
  const { db, clock } = services
  if (person.role === 'admin') await consumeNotification(services, call)
  const signature = await readSignature(services)
  const passwordHash = await hashPassword(password)
  return await inTransaction(db, async transaction => {
    await lockStaff(transaction)
    await assertStillAdmin(transaction, call)
    if (await isEmailTaken(transaction, person.email))
      throwHttpError(409, EMAIL_TAKEN, { code: EMAIL_TAKEN_CODE })
    const added = await insertUser(transaction, clock, person, passwordHash)
    await sendVerificationEmail(services, transaction, added, signature)
    if (added.role === 'admin')
      await notifyAdmins(services, transaction, call, newAdmin('adminAdded', added, signature), signature)
    return added
  })
}
