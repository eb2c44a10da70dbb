import type { PendingSignIn } from '../../auth/session.ts'
import { minutes } from '../../clock.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Log } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import { consumeCode, hashCode, newCode, refundCode, sendCode } from './code.server.ts'
import { isPending, replaceCode } from './store.server.ts'

const RESEND_AFTER = minutes(1)

/** Sends a new code, which replaces the previous one. Wrong codes entered so far still count. */
export async function resendCode(services: Services, pending: PendingSignIn, log: Log): Promise<void> {
  const { db, clock, keys } = services
  const { user } = pending
  const sinceLast = clock().getTime() - Date.parse(pending.codeSentAt)
  if (sinceLast < RESEND_AFTER) throwTooSoon(RESEND_AFTER - sinceLast)
  await consumeCode(services, user.id)
  const code = newCode()
  if (!(await replaceCode(db, clock, pending, hashCode(keys.signInCode, code)))) {
    await refundCode(services, user.id)
    // An admin who changes the user deletes the pending sign-in; the address read before may be out of date.
    if (!(await isPending(db, pending.tokenHash))) throwHttpError(401, 'Please sign in to continue')
    throwTooSoon(RESEND_AFTER)
  }
  log('info', 'Auth', 'Sign-in code requested again')
  const isSent = await sendCode(services, user, code, log)
  if (!isSent) throwHttpError(503, 'Failed to resend code', { retryAfter: 60 })
}

/** @param wait milliseconds */
function throwTooSoon(wait: number): never {
  throwHttpError(429, 'Please wait a minute before asking for another code.', { retryAfter: wait / 1000 })
}
