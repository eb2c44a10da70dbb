import { hours, minutes } from '../../clock.ts'
import { refuse } from '../../http/problem.ts'
import type { PendingSignIn } from '../../http/session.ts'
import type { Log } from '../../log.ts'
import type { Services } from '../../services.ts'
import { hashCode, newCode, sendCode } from './code.server.ts'
import { replaceCode } from './store.server.ts'

const RESENDS_PER_ACCOUNT = { name: 'resends', count: 5, per: hours(1) }
const RESEND_AFTER = minutes(1)

/** Sends a new code; the one before no longer counts, the wrong guesses so far still do. */
export async function resendCode(services: Services, pending: PendingSignIn, log: Log): Promise<void> {
  const { db, clock, keys, limits } = services
  const sinceLast = clock().getTime() - Date.parse(pending.codeSentAt)
  if (sinceLast < RESEND_AFTER) refuseForNow(RESEND_AFTER - sinceLast)
  await limits.spend(RESENDS_PER_ACCOUNT, pending.user.id)
  const code = newCode()
  const isFirst = await replaceCode(db, clock, pending, hashCode(keys.signInCode, code))
  if (!isFirst) {
    await limits.giveBack(RESENDS_PER_ACCOUNT, pending.user.id)
    refuseForNow(RESEND_AFTER)
  }
  log('info', 'Auth', 'Another sign-in code was asked for')
  const isSent = await sendCode(services, pending.user.email, code, log)
  if (!isSent) refuse(503, 'Failed to resend code', { retryAfter: 60 })
}

/** @param wait milliseconds */
function refuseForNow(wait: number): never {
  refuse(429, 'Please wait a minute before asking for another code.', { retryAfter: wait / 1000 })
}
