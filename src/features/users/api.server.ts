import { readSignature, sendInvitation, sendVerificationEmail } from '../../auth/account-emails.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { assertStillAdmin } from '../../auth/notify-admins.ts'
import { lock } from '../../database/locks.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, type HandlerContext, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { assertMayTake, releaseMessages } from '../inbox/messages/release-messages.server.ts'
import { addUser, changeUser, NO_SUCH_USER } from './change-user.server.ts'
import { type Deletion, users } from './contract.ts'
import {
  countWork,
  deleteUserWithoutAccess,
  findUser,
  isInvited,
  isLastAdmin,
  keepName,
  listUsers,
  takeAccess,
} from './store.server.ts'

/** A double click sends one email. */
const VERIFICATIONS_PER_USER = { name: 'verification emails', count: 1, per: minutes(1) }
const INVITATIONS_PER_USER = { name: 'invitations', count: 1, per: minutes(1) }

export function serveUsers(router: ApiRouter): void {
  const { services } = router
  const { db, mail, rateLimiter } = services

  serve(router, users.list, async query => {
    const isMailKeptHere = (await mail.transport()) === 'mailbox'
    return { ...(await listUsers(db, query)), ...(isMailKeptHere && { isMailKeptHere }) }
  })

  serve(router, users.create, async (newUser, call) => {
    const user = await addUser(services, newUser, call)
    call.log('info', 'API', 'User added', { targetUserId: user.id, role: user.role, inbox: user.inbox })
    return { user }
  })

  serve(router, users.change, async (change, call) => {
    const user = await changeUser(services, change, call)
    const { id, ...fields } = change
    call.log('info', 'API', 'User changed', {
      targetUserId: id,
      fields: Object.keys(fields),
      role: user.role,
      inbox: user.inbox,
    })
    return { user }
  })

  serve(router, users.delete, async (deletion, call) => {
    await deleteUser(services, deletion, call)
    return {}
  })

  serve(router, users.work, async ({ id }) => {
    if (!(await findUser(db, id))) throwHttpError(404, NO_SUCH_USER)
    return await countWork(db, id)
  })

  serve(router, users.resendVerification, async ({ id }, { log }) => {
    const user = (await findUser(db, id)) ?? throwHttpError(404, NO_SUCH_USER)
    if (user.email_verified) throwHttpError(409, 'This email address is verified already')
    await rateLimiter.consume(VERIFICATIONS_PER_USER, id)
    const signature = await readSignature(services)
    await inTransaction(db, transaction => sendVerificationEmail(services, transaction, user, signature))
    log('info', 'EmailService', 'Verification email sent again', { targetUserId: id })
    return {}
  })

  serve(router, users.resendInvitation, async ({ id }, { log }) => {
    await rateLimiter.consume(INVITATIONS_PER_USER, id)
    const signature = await readSignature(services)
    await inTransaction(db, async transaction => {
      const user = (await lockUser(transaction, id)) ?? throwHttpError(404, NO_SUCH_USER)
      if (!isInvited(user)) throwHttpError(409, 'This user has a password already')
      await sendInvitation(services, transaction, user, signature)
    })
    log('info', 'EmailService', 'Invitation sent again', { targetUserId: id })
    return {}
  })
}

type AdminCall = HandlerContext<'users', 'denied'>

/**
 * Deletes a user. From the first transaction on they have no access, and nobody gives them a message. What they have is
 * given to a colleague or to nobody, in as many transactions as it takes: where that fails, a repeat does the rest.
 * @throws {HttpError} 400, 401, 403, 404, 409
 */
async function deleteUser(services: Services, { id, assignTo }: Deletion, call: AdminCall): Promise<void> {
  await assertMayTake(services.db, id, assignTo)
  await beginDeletion(services, id, call)
  const given = assignTo ? { toId: assignTo, byId: call.user.id } : undefined
  await releaseMessages(services, { userId: id, given, isAll: true })
  await inTransaction(services.db, async transaction => {
    if (!(await lockUser(transaction, id))) throwHttpError(404, NO_SUCH_USER)
    await keepName(transaction, services.clock, id)
    if (!(await deleteUserWithoutAccess(transaction, id)))
      throwHttpError(409, 'This user has been changed meanwhile, and was not deleted')
    await call.log.within(transaction, 'info', 'API', 'User deleted', { targetUserId: id })
  })
}

async function beginDeletion({ db }: Services, id: string, call: AdminCall) {
  await inTransaction(db, async transaction => {
    await lock(transaction, 'staff')
    await assertStillAdmin(transaction, call)
    const user = (await lockUser(transaction, id)) ?? throwHttpError(404, NO_SUCH_USER)
    if (user.is_default) throwHttpError(403, 'The default admin cannot be deleted')
    if (id === call.user.id) throwHttpError(403, 'You cannot delete your own account')
    if (await isLastAdmin(transaction, user)) throwHttpError(409, 'The last admin cannot be deleted')
    await takeAccess(transaction, id)
    await call.log.within(transaction, 'info', 'API', 'User deletion started', { targetUserId: id })
  })
}
