import { passwordChangedEmail, readSignature } from '../../auth/account-emails.ts'
import { setPassword } from '../../auth/change-account.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { hashPassword, isPasswordRight, limitConcurrency } from '../../auth/password.ts'
import { deleteSessionsOf, renewSession } from '../../auth/session.ts'
import { minutes } from '../../clock.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { readPasswordHash } from './store.server.ts'

const WRONG_PASSWORDS_PER_ACCOUNT = { name: 'wrong current passwords', count: 5, per: minutes(15) }
const WRONG = 'This is not your current password'
const ENDED = 'Please sign in to continue'

/**
 * A new password for whoever knows the old one. All other sessions end, trusted devices are forgotten, the owner is
 * told by letter; this browser stays signed in under a new id. @throws {Problem} 400, 429
 */
export async function changeOwnPassword(
  services: Services,
  { password, currentPassword }: { password: string; currentPassword: string },
  call: HandlerContext<'signed-in', 'denied'>,
): Promise<void> {
  const { db, clock, rateLimiter, outbox } = services
  const { user } = call.session
  // Counted as wrong before it is looked at, so that many at once are not more than allowed.
  await rateLimiter.consume(WRONG_PASSWORDS_PER_ACCOUNT, user.id)
  const stored = await readPasswordHash(db, user.id)
  if (!(await limitConcurrency('staff', () => isPasswordRight(currentPassword, stored)))) {
    call.log('warning', 'Auth', 'A wrong current password was given')
    throwHttpError(400, WRONG, { errors: { currentPassword: WRONG } })
  }
  await rateLimiter.refund(WRONG_PASSWORDS_PER_ACCOUNT, user.id)
  const signature = await readSignature(services)
  const passwordHash = await hashPassword(password)
  const token = await db.transaction().execute(async transaction => {
    const now = (await lockUser(transaction, user.id)) ?? throwHttpError(401, ENDED)
    await setPassword(transaction, user.id, passwordHash)
    await deleteSessionsOf(transaction, user.id, call.session.id)
    await outbox.add(transaction, passwordChangedEmail(now, signature), null)
    // Whoever has given another password or address meanwhile has ended this session; theirs counts.
    return (await renewSession(transaction, clock, call.session.id)) ?? throwHttpError(401, ENDED)
  })
  outbox.wake()
  call.cookies.set('session', token)
  call.cookies.clear('device')
  call.log('info', 'Auth', 'A user changed their own password')
}
