import { askForVerification } from '../../accounts/ask-for-verification.ts'
import { readSignature } from '../../accounts/letters.ts'
import { hashPassword } from '../../accounts/password.ts'
import { refuseFormerAdmin } from '../../accounts/still-admin.ts'
import { type AdminCall, type PowerChange, takeAnnouncement, tellAdmins } from '../../accounts/tell-admins.ts'
import { refuse } from '../../http/problem.ts'
import type { Services } from '../../services.ts'
import type { NewUser, UserAccount } from './contract.ts'
import { insertUser, isEmailTaken, takeTurn } from './store.server.ts'

export const EMAIL_TAKEN = 'Another user has this email address'

/** Someone who may do everything from now on. */
export function newAdmin(what: string, { name, email }: Pick<UserAccount, 'name' | 'email'>): PowerChange {
  return { what, facts: [['Admin', `${name} <${email}>`]] }
}

/** A new member of staff, and the letter that asks them to confirm their address. @throws {Problem} 409 */
export async function addUser(
  services: Services,
  { password, ...person }: NewUser,
  call: AdminCall,
): Promise<UserAccount> {
  const { db, clock, outbox } = services
  if (person.role === 'admin') await takeAnnouncement(services, call)
  const signature = await readSignature(services)
  const passwordHash = await hashPassword(password)
  const user = await db.transaction().execute(async transaction => {
    await takeTurn(transaction)
    await refuseFormerAdmin(transaction, call)
    if (await isEmailTaken(transaction, person.email)) refuse(409, EMAIL_TAKEN)
    const added = await insertUser(transaction, clock, person, passwordHash)
    await askForVerification(services, transaction, added, signature)
    if (added.role === 'admin')
      await tellAdmins(services, transaction, call, newAdmin('An admin was added', added), signature)
    return added
  })
  outbox.wake()
  return user
}
