import { askForVerification } from '../../accounts/ask-for-verification.ts'
import { readSignature } from '../../accounts/letters.ts'
import { hashPassword } from '../../accounts/password.ts'
import { refuse } from '../../http/problem.ts'
import type { Services } from '../../services.ts'
import type { NewUser, UserAccount } from './contract.ts'
import { insertUser, isEmailTaken, takeTurn } from './store.server.ts'

export const EMAIL_TAKEN = 'Another user has this email address'

/** A new member of staff, and the letter that asks them to confirm their address. @throws {Problem} 409 */
export async function addUser(services: Services, { password, ...person }: NewUser): Promise<UserAccount> {
  const { db, clock, outbox } = services
  const signature = await readSignature(services)
  const passwordHash = await hashPassword(password)
  const user = await db.transaction().execute(async transaction => {
    await takeTurn(transaction)
    if (await isEmailTaken(transaction, person.email)) refuse(409, EMAIL_TAKEN)
    const added = await insertUser(transaction, clock, person, passwordHash)
    await askForVerification(services, transaction, added, signature)
    return added
  })
  outbox.wake()
  return user
}
