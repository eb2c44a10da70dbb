import {
  addressChangedEmail,
  passwordChangedEmail,
  readSignature,
  sendInvitation,
  sendVerificationEmail,
} from '../../auth/account-emails.ts'
import { assertStillAdmin } from '../../auth/assert-still-admin.ts'
import {
  deletePendingSignIns,
  deleteTrustedDevices,
  endEverySignIn,
  setPassword,
} from '../../auth/change-account.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { type AdminCall, consumeNotification } from '../../auth/notify-admins.ts'
import { hashPassword } from '../../auth/password.ts'
import { permissionsOf, storedGrant } from '../../auth/permissions.ts'
import { deleteSessionsOf } from '../../auth/session.ts'
import { lock } from '../../database/locks.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { describeError } from '../../log/logger.ts'
import type { EmailSignature } from '../../mail/email.ts'
import type { Services } from '../../services.ts'
import { assertMayTake, releaseMessages } from '../inbox/release-messages.server.ts'
import { EMAIL_TAKEN } from './add-user.server.ts'
import { EMAIL_TAKEN_CODE, type UserAccount, type UserChange } from './contract.ts'
import { mayGivePower, notifyPrivilegeChange } from './notify-privilege-change.server.ts'
import { findUser, isEmailTaken, isInvited, isLastAdmin, toAccount, updateUser } from './store.server.ts'

export const NO_SUCH_USER = 'This user no longer exists'

const OWN_PASSWORD =
  'To change your own password, use Edit Profile on the dashboard. It asks for the current one.'

/**
 * Changes the given fields of a user. A value equal to the current one has no effect.
 * @param call the admin's call; null for a command on the server
 * @throws {HttpError} 401, 403, 404, 409, 429
 */
export async function changeUser(
  services: Services,
  { id, password, assignTo, ...fields }: UserChange,
  call: AdminCall | null,
): Promise<UserAccount> {
  const { db, outbox } = services
  // Somebody who finds an unattended portal must not be able to take over the account.
  if (password !== undefined && id === call?.session.user.id) throwHttpError(403, OWN_PASSWORD)
  await assertMayTake(db, id, assignTo)
  if (call && mayGivePower(fields)) await consumeNotification(services, call)
  const signature = await readSignature(services)
  const passwordHash = password && (await hashPassword(password))
  const user = await inTransaction(db, async transaction => {
    await lock(transaction, 'staff')
    if (call) await assertStillAdmin(transaction, call)
    const before = (await lockUser(transaction, id)) ?? throwHttpError(404, NO_SUCH_USER)
    const name = fields.name ?? before.name
    await changeRole(transaction, before, fields.role ?? before.role)
    await changeGrant(transaction, before, fields)
    if (name !== before.name) await updateUser(transaction, id, { name })
    const email = fields.email ?? before.email
    if (email !== before.email) {
      await changeEmail(transaction, before, email)
      const notify = isInvited(before) && !passwordHash ? sendInvitation : sendAddressChanged
      await notify(services, transaction, { ...before, name, email }, signature, before.email)
    }
    if (passwordHash) {
      await setPassword(transaction, id, passwordHash)
      await deleteSessionsOf(transaction, id)
      await outbox.add(transaction, passwordChangedEmail(before, signature), null)
    }
    const after = (await findUser(transaction, id)) ?? throwHttpError(404, NO_SUCH_USER)
    if (call) await notifyPrivilegeChange(services, transaction, call, before, after, signature)
    return after
  })
  if (!mayAnswer(user)) await release(services, id, call, assignTo)
  return toAccount(user)
}

/** The change is stored, whatever comes of this: what is not released now is a minute later. */
async function release(services: Services, userId: string, call: AdminCall | null, assignTo?: string) {
  const given = assignTo ? { toId: assignTo, byId: call?.session.user.id ?? null } : undefined
  try {
    await releaseMessages(services, { userId, given })
  } catch (error) {
    services.log('warning', 'API', 'Messages not released', describeError(error))
  }
}

const mayAnswer = ({ role, inbox }: UserRow) => permissionsOf(role, inbox).includes('inbox:answer')

/** After a change of role, the next sign-in of each browser needs a code. */
async function changeRole(transaction: Database, before: UserRow, role: UserRow['role']) {
  if (role === before.role) return
  if (before.is_default) throwHttpError(403, "The default admin's role cannot be changed")
  if (await isLastAdmin(transaction, before))
    throwHttpError(409, 'This is the last admin. Make someone else an admin first.')
  await updateUser(transaction, before.id, { role })
  await deleteTrustedDevices(transaction, before.id)
  await deletePendingSignIns(transaction, before.id)
}

/** Sets the grant that was chosen, or the one that the new role leaves of the present one. */
async function changeGrant(
  transaction: Database,
  before: UserRow,
  { role = before.role, inbox }: Pick<UserChange, 'role' | 'inbox'>,
) {
  const stored = storedGrant(role, inbox ?? storedGrant(before.role, before.inbox))
  if (stored !== before.inbox) await updateUser(transaction, before.id, { inbox: stored })
}

/** Ends every session, trusted device and pending sign-in, and every link to the old address. */
async function changeEmail(transaction: Transaction, before: UserRow, email: string) {
  if (before.is_default) throwHttpError(403, "The default admin's email cannot be changed")
  if (await isEmailTaken(transaction, email)) throwHttpError(409, EMAIL_TAKEN, { code: EMAIL_TAKEN_CODE })
  await updateUser(transaction, before.id, { email, email_verified: 0 })
  await endEverySignIn(transaction, before.id)
}

/** Notifies the old address and asks the new one for a confirmation. */
async function sendAddressChanged(
  services: Services,
  transaction: Transaction,
  user: UserRow,
  signature: EmailSignature,
  oldEmail: string,
) {
  const toOldAddress = addressChangedEmail({ ...user, email: oldEmail }, user.email, signature)
  await services.outbox.add(transaction, toOldAddress, null)
  await sendVerificationEmail(services, transaction, user, signature)
}
