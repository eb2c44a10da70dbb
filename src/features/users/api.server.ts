import { readSignature, sendInvitation, sendVerificationEmail } from '../../auth/account-emails.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { minutes } from '../../clock.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { addUser } from './add-user.server.ts'
import { changeUser, NO_SUCH_USER } from './change-user.server.ts'
import { users } from './contract.ts'
import { deleteUser } from './delete-user.server.ts'
import { countWork, findUser, isInvited, listUsers } from './store.server.ts'

/** A double click sends one email. */
const VERIFICATIONS_PER_USER = { name: 'verification emails', count: 1, per: minutes(1) }
const INVITATIONS_PER_USER = { name: 'invitations', count: 1, per: minutes(1) }

/** Serves the calls with which admins manage staff accounts. */
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
