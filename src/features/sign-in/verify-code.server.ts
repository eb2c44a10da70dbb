import type * as z from 'zod/mini'
import { codesUsedUpLetter, readSignature } from '../../accounts/letters.ts'
import { days, minutes, seconds } from '../../clock.ts'
import { refuse } from '../../http/problem.ts'
import type { Call } from '../../http/serve.ts'
import type { Services } from '../../services.ts'
import { isCodeRight } from './code.server.ts'
import type { Code } from './contract.ts'
import { openSession } from './log-in.server.ts'
import { endPending, endPendingWithoutGuesses, takeGuess, trustDevice } from './store.server.ts'
import { countWrongCode, forgetWrongCodes, MOST_WRONG_CODES_IN_A_ROW } from './wrong-codes.server.ts'

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
  await limits.spend(WRONG_CODES_PER_ACCOUNT, user.id)
  if (!(await isPendingCode(services, call, code))) {
    call.log('warning', 'Auth', 'A wrong sign-in code was given')
    refuse(401, 'Verification failed')
  }
  await limits.giveBack(WRONG_CODES_PER_ACCOUNT, user.id)
  call.cookies.clear('pending')
  await openSession(services, call, user, 'code')
  if (isTrusted) {
    call.cookies.set('device', await trustDevice(db, clock, user.id))
    call.log('info', 'Auth', 'A device was trusted')
  }
  return { user }
}

/** Uses up a guess first, then the code itself: it works once. */
async function isPendingCode(services: Services, call: Call<'pending'>, code: string): Promise<boolean> {
  const { db, clock, keys } = services
  const { pending } = call
  if (!(await takeGuess(db, pending.tokenHash))) return false
  const inARow = (await countWrongCode(db, pending.user.id)) ?? refuseAllCodes()
  const isInTime = Date.parse(pending.codeExpiresAt) > clock().getTime()
  if (isInTime && isCodeRight(keys.signInCode, code, pending.codeHash)) {
    await forgetWrongCodes(db, pending.user.id)
    return await endPending(db, pending.tokenHash)
  }
  if (inARow === MOST_WRONG_CODES_IN_A_ROW) await tellThatCodesAreUsedUp(services, call)
  await endPendingWithoutGuesses(db, pending.tokenHash)
  return false
}

/** Waiting does not help, but a day is about what it takes to reach an admin. */
function refuseAllCodes(): never {
  refuse(429, 'Too many wrong codes in a row. Ask an admin to set a new password for you.', {
    retryAfter: days(1) / seconds(1),
  })
}

async function tellThatCodesAreUsedUp(services: Services, { pending, log }: Call<'pending'>) {
  const { db, outbox } = services
  log('error', 'Auth', 'An account takes no more sign-in codes')
  await outbox.add(db, codesUsedUpLetter(pending.user, await readSignature(services)), null)
  outbox.wake()
}
