import { askForVerification } from '../../accounts/ask-for-verification.ts'
import {
  endEverySignIn,
  endPendingSignIns,
  forgetTrustedDevices,
  putPassword,
} from '../../accounts/change-account.ts'
import { lockUser } from '../../accounts/checked-user.ts'
import { emailChangedLetter, passwordChangedLetter, readSignature } from '../../accounts/letters.ts'
import { hashPassword } from '../../accounts/password.ts'
import { refuseFormerAdmin } from '../../accounts/still-admin.ts'
import { type AdminCall, takeAnnouncement, tellAdmins } from '../../accounts/tell-admins.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import { refuse } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/session.ts'
import type { Signature } from '../../mail/letter.ts'
import type { Services } from '../../services.ts'
import { EMAIL_TAKEN, newAdmin } from './add-user.server.ts'
import type { UserAccount, UserChange } from './contract.ts'
import { findUser, isEmailTaken, isLastAdmin, takeTurn, toAccount, updateUser } from './store.server.ts'

export const NO_SUCH_USER = 'This user no longer exists'

const OWN_PASSWORD =
  'To change your own password, use Edit Profile on the dashboard. It asks for the current one.'

/**
 * What an admin changes of a member of staff. What is given as it already was changes nothing.
 * @param call whose it is; null for a command on the server
 */
export async function changeUser(
  services: Services,
  { id, password, ...fields }: UserChange,
  call: AdminCall | null,
): Promise<UserAccount> {
  const { db, outbox } = services
  // Whoever finds a portal left open must not make it theirs.
  if (password !== undefined && id === call?.session.user.id) refuse(403, OWN_PASSWORD)
  if (call && fields.role === 'admin') await takeAnnouncement(services, call)
  const signature = await readSignature(services)
  const passwordHash = password && (await hashPassword(password))
  const user = await db.transaction().execute(async transaction => {
    await takeTurn(transaction)
    if (call) await refuseFormerAdmin(transaction, call)
    const before = (await lockUser(transaction, id)) ?? refuse(404, NO_SUCH_USER)
    const name = fields.name ?? before.name
    await changeRole(transaction, before, fields.role ?? before.role)
    if (name !== before.name) await updateUser(transaction, id, { name })
    await changeEmail(services, transaction, { ...before, name }, fields.email ?? before.email, signature)
    if (passwordHash) {
      await putPassword(transaction, id, passwordHash)
      await endSessionsOf(transaction, id)
      await outbox.add(transaction, passwordChangedLetter(before, signature), null)
    }
    const after = (await findUser(transaction, id)) ?? refuse(404, NO_SUCH_USER)
    if (call && after.role === 'admin' && before.role !== 'admin')
      await tellAdmins(services, transaction, call, newAdmin('A user was made an admin', after), signature)
    return after
  })
  outbox.wake()
  return toAccount(user)
}

/** Someone with another role proves with a code that it is them, in each of their browsers. */
async function changeRole(transaction: Database, before: UserRow, role: UserRow['role']) {
  if (role === before.role) return
  if (before.is_default) refuse(403, "The default admin's role cannot be changed")
  if (await isLastAdmin(transaction, before))
    refuse(409, 'This is the last admin. Make someone else an admin first.')
  await updateUser(transaction, before.id, { role })
  await forgetTrustedDevices(transaction, before.id)
  await endPendingSignIns(transaction, before.id)
}

/** Whoever was signed in, trusted or waiting for a code begins again, and the old address is told of the new one. */
async function changeEmail(
  services: Services,
  transaction: Database,
  before: UserRow,
  email: string,
  signature: Signature,
) {
  if (email === before.email) return
  if (before.is_default) refuse(403, "The default admin's email cannot be changed")
  if (await isEmailTaken(transaction, email)) refuse(409, EMAIL_TAKEN)
  await updateUser(transaction, before.id, { email, email_verified: 0 })
  await endEverySignIn(transaction, before.id)
  await services.outbox.add(transaction, emailChangedLetter(before, email, signature), null)
  await askForVerification(services, transaction, { ...before, email }, signature)
}
