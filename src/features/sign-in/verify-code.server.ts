import type * as z from 'zod/mini'
import { minutes } from '../../clock.ts'
import { refuse } from '../../http/problem.ts'
import type { Call } from '../../http/serve.ts'
import type { PendingSignIn } from '../../http/session.ts'
import type { Services } from '../../services.ts'
import { isCodeRight } from './code.server.ts'
import type { Code } from './contract.ts'
import { openSession } from './log-in.server.ts'
import { endPending, endPendingWithoutGuesses, takeGuess, trustDevice } from './store.server.ts'

const WRONG_CODES_PER_ACCOUNT = { name: 'wrong codes', count: 10, per: minutes(15) }

/** The code from the letter signs the waiting browser in. */
export async function verifyCode(
  services: Services,
  { code, trustDevice: isTrusted }: z.output<typeof Code>,
  call: Call<'pending'>,
) {
  const { db, clock, limits } = services
  const { user } = call.pending
  // Counted as wrong before it is looked at, so that many at once are not more than allowed.
  limits.spend(WRONG_CODES_PER_ACCOUNT, user.id)
  if (!(await isPendingCode(services, call.pending, code))) {
    call.log('warning', 'Auth', 'A wrong sign-in code was given')
    refuse(401, 'Verification failed')
  }
  limits.giveBack(WRONG_CODES_PER_ACCOUNT, user.id)
  call.cookies.clear('pending')
  await openSession(services, call, user, 'code')
  if (isTrusted) {
    call.cookies.set('device', await trustDevice(db, clock, user.id))
    call.log('info', 'Auth', 'A device was trusted')
  }
  return { user }
}

/** Uses up a guess first, then the code itself: it works once. */
async function isPendingCode(
  { db, clock, keys }: Services,
  pending: PendingSignIn,
  code: string,
): Promise<boolean> {
  if (!(await takeGuess(db, pending.tokenHash))) return false
  const isInTime = Date.parse(pending.codeExpiresAt) > clock().getTime()
  if (isInTime && isCodeRight(keys.signInCode, code, pending.codeHash))
    return await endPending(db, pending.tokenHash)
  await endPendingWithoutGuesses(db, pending.tokenHash)
  return false
}
