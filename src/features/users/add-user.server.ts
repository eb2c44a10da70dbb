import { readSignature, sendInvitation, sendVerificationEmail } from '../../auth/account-emails.ts'
import { assertStillAdmin } from '../../auth/assert-still-admin.ts'
import { type AdminCall, consumeNotification } from '../../auth/notify-admins.ts'
import { hashPassword } from '../../auth/password.ts'
import { lock } from '../../database/locks.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { EMAIL_TAKEN_CODE, type NewUser, type UserAccount } from './contract.ts'
import { mayGivePower, notifyPrivilegeChange } from './notify-privilege-change.server.ts'
import { insertUser, isEmailTaken, NO_PASSWORD, toAccount } from './store.server.ts'

export const EMAIL_TAKEN = 'Another user has this email address'

/**
 * Adds a user and queues an email to them: without a password it invites them to choose one, with a password it asks them
 * to confirm their address. @throws {HttpError} 409
 */
export async function addUser(
  services: Services,
  { password, ...person }: NewUser,
  call: AdminCall,
): Promise<UserAccount> {
  const { db, clock } = services
  if (mayGivePower(person)) await consumeNotification(services, call)
  const signature = await readSignature(services)
  const passwordHash = password === undefined ? NO_PASSWORD : await hashPassword(password)
  const welcome = password === undefined ? sendInvitation : sendVerificationEmail
  return await inTransaction(db, async transaction => {
    await lock(transaction, 'staff')
    await assertStillAdmin(transaction, call)
    if (await isEmailTaken(transaction, person.email))
      throwHttpError(409, EMAIL_TAKEN, { code: EMAIL_TAKEN_CODE })
    const added = await insertUser(transaction, clock, person, passwordHash)
    await welcome(services, transaction, added, signature)
    await notifyPrivilegeChange(services, transaction, call, null, added, signature)
    return toAccount(added)
  })
}
