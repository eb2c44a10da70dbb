import type { PendingSignIn } from '../../auth/session.ts'
import { minutes } from '../../clock.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Log } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import { giveCodeBack, hashCode, newCode, sendTakenCode, takeCode } from './code.server.ts'
import { isPending, replaceCode } from './store.server.ts'

const RESEND_AFTER = minutes(1)

/** Sends a new code; the one before no longer counts, the wrong guesses so far still do. */
export async function resendCode(services: Services, pending: PendingSignIn, log: Log): Promise<void> {
  const { db, clock, keys } = services
  const { user } = pending
  const sinceLast = clock().getTime() - Date.parse(pending.codeSentAt)
  if (sinceLast < RESEND_AFTER) throwTooSoon(RESEND_AFTER - sinceLast)
  await takeCode(services, user.id)
  const code = newCode()
  if (!(await replaceCode(db, clock, pending, hashCode(keys.signInCode, code)))) {
    await giveCodeBack(services, user.id)
    // An admin who changes the user ends the sign-in; the address that was read before may be another now.
    if (!(await isPending(db, pending.tokenHash))) throwHttpError(401, 'Please sign in to continue')
    throwTooSoon(RESEND_AFTER)
  }
  log('info', 'Auth', 'Another sign-in code was asked for')
  const isSent = await sendTakenCode(services, user, code, log)
  if (!isSent) throwHttpError(503, 'Failed to resend code', { retryAfter: 60 })
}

/** @param wait milliseconds */
function throwTooSoon(wait: number): never {
  throwHttpError(429, 'Please wait a minute before asking for another code.', { retryAfter: wait / 1000 })
}
