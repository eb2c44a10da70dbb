import {
  addressChangedEmail,
  passwordChangedEmail,
  readSignature,
  sendInvitation,
  sendVerificationEmail,
} from '../../auth/account-emails.ts'
import {
  deletePendingSignIns,
  deleteTrustedDevices,
  endEverySignIn,
  setPassword,
} from '../../auth/change-account.ts'
import { lockUser } from '../../auth/lock-user.ts'
import {
  type AdminCall,
  assertStillAdmin,
  consumeNotification,
  notifyAdmins,
  type SensitiveChange,
} from '../../auth/notify-admins.ts'
import { hashPassword } from '../../auth/password.ts'
import {
  effectiveGrant,
  type InboxGrant,
  inboxGrants,
  permissionsOf,
  type Role,
  storedGrant,
} from '../../auth/permissions.ts'
import { deleteSessionsOf } from '../../auth/session.ts'
import { lock } from '../../database/locks.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { describeError } from '../../log/logger.ts'
import type { EmailSignature } from '../../mail/email.ts'
import type { Services } from '../../services.ts'
import { assertMayTake, releaseMessages } from '../inbox/messages/release-messages.server.ts'
import { EMAIL_TAKEN_CODE, type NewUser, type UserAccount, type UserChange } from './contract.ts'
import {
  findUser,
  insertUser,
  isEmailTaken,
  isInvited,
  isLastAdmin,
  NO_PASSWORD,
  toAccount,
  updateUser,
} from './store.server.ts'

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
  if (call && (fields.email !== undefined || mayGivePower(fields))) await consumeNotification(services, call)
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

const EMAIL_TAKEN = 'Another user has this email address'

/**
 * Adds a user and queues an email to them: without a password it invites them to choose one, with a password it asks them
 * to confirm their address. @throws {HttpError} 409, 429
 */
export async function addUser(
  services: Services,
  { password, ...person }: NewUser,
  call: AdminCall,
): Promise<UserAccount> {
  const { db, clock } = services
  await consumeNotification(services, call)
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

/** What decides how much somebody may do. */
interface Power {
  readonly role: Role
  readonly inbox: InboxGrant
}

type Person = Power & { readonly name: string; readonly email: string }

/** Whether a call may give power, so that it counts towards the limit of its admin. */
function mayGivePower({ role, inbox }: Pick<UserChange, 'role' | 'inbox'>): boolean {
  return role === 'admin' || (inbox !== undefined && inbox !== 'none')
}

/** Notifies every admin when a user may do more than before. @param before null for a new user */
async function notifyPrivilegeChange(
  services: Services,
  transaction: Transaction,
  call: AdminCall,
  before: Power | null,
  after: Person,
  signature: EmailSignature,
): Promise<void> {
  const change = describe(before, after, signature)
  if (change) await notifyAdmins(services, transaction, call, change, signature)
}

function describe(before: Power | null, after: Person, { texts }: EmailSignature): SensitiveChange | null {
  const { labels, inboxGrants: grants, sensitiveChange } = texts.emails
  const person = `${after.name} <${after.email}>`
  if (after.role === 'admin') {
    if (before?.role === 'admin') return null
    const what = before ? sensitiveChange.madeAdmin : sensitiveChange.adminAdded
    return { what, facts: [[labels.admin, person]] }
  }
  const inbox = effectiveGrant(after.role, after.inbox)
  const inboxBefore = before ? effectiveGrant(before.role, before.inbox) : 'none'
  if (inboxGrants.indexOf(inbox) <= inboxGrants.indexOf(inboxBefore)) return null
  const facts = [[labels.user, person] as const, [labels.messages, grants[inbox]] as const]
  return { what: sensitiveChange.inboxGranted, facts }
}
