import { passwordChangedEmail, readSignature } from '../../auth/account-emails.ts'
import { setPassword } from '../../auth/change-account.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { hashPassword, isPasswordRight, limitConcurrency } from '../../auth/password.ts'
import { deleteSessionsOf, renewSession } from '../../auth/session.ts'
import { minutes } from '../../clock.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { readPasswordHash } from './store.server.ts'

const WRONG_PASSWORDS_PER_ACCOUNT = { name: 'wrong current passwords', count: 5, per: minutes(15) }
const WRONG = 'This is not your current password'
const ENDED = 'Please sign in to continue'

/**
 * Sets a new password for a user who knows the current one. Deletes all other sessions and all trusted devices, and sends
 * an email to the owner. This browser stays signed in under a new session id. @throws {HttpError} 400, 401, 429
 */
export async function changeOwnPassword(
  services: Services,
  { password, currentPassword }: { password: string; currentPassword: string },
  call: HandlerContext<'signed-in', 'denied'>,
): Promise<void> {
  const { db, clock, rateLimiter, outbox } = services
  const { user } = call.session
  // Counted as wrong before it is checked, so that concurrent guesses cannot exceed the limit.
  await rateLimiter.consume(WRONG_PASSWORDS_PER_ACCOUNT, user.id)
  const stored = await readPasswordHash(db, user.id)
  if (!(await limitConcurrency('staff', () => isPasswordRight(currentPassword, stored)))) {
    call.log('warning', 'Auth', 'Wrong current password entered')
    throwHttpError(400, WRONG, { errors: { currentPassword: WRONG } })
  }
  await rateLimiter.refund(WRONG_PASSWORDS_PER_ACCOUNT, user.id)
  const signature = await readSignature(services)
  const passwordHash = await hashPassword(password)
  const token = await inTransaction(db, async transaction => {
    const current = (await lockUser(transaction, user.id)) ?? throwHttpError(401, ENDED)
    await setPassword(transaction, user.id, passwordHash)
    await deleteSessionsOf(transaction, user.id, call.session.id)
    await outbox.add(transaction, passwordChangedEmail(current, signature), null)
    // An admin who meanwhile changed the password or the address ended this session, and their change wins.
    return (await renewSession(transaction, clock, call.session.id)) ?? throwHttpError(401, ENDED)
  })
  call.cookies.set('session', token)
  call.cookies.clear('device')
  call.log('info', 'Auth', 'Own password changed')
}
