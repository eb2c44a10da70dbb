import { lockUser } from '../../auth/lock-user.ts'
import type { PendingSignIn } from '../../auth/session.ts'
import { hashCode, newCode } from '../../auth/six-digits.ts'
import { minutes } from '../../clock.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Log } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import { consumeCode, printCode, refundCode, sendCode } from './code.server.ts'
import { deleteConsoleCode } from './console-code.server.ts'
import { insertConsoleCode, isCodeOf, isPending, newStoredCode, replaceCode } from './store.server.ts'

const RESEND_AFTER = minutes(1)

/** Sends or prints a new code, which replaces the previous one. Wrong codes entered so far still count. */
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
  const start = clock()
  if (await sendCode(services, user, code, log)) return await deleteConsoleCode(db, user.id, start)
  const isKept = await inTransaction(db, async transaction => {
    const codeHash = hashCode(keys.signInCode, code)
    // Meanwhile another code may have replaced this one, or the user may have been deleted.
    if (
      !(await lockUser(transaction, user.id)) ||
      !(await isCodeOf(transaction, pending.tokenHash, codeHash))
    )
      return false
    await insertConsoleCode(transaction, user.id, newStoredCode(clock, codeHash))
    return true
  })
  if (!isKept) throwHttpError(503, 'Failed to resend code', { retryAfter: 60 })
  printCode(services, user, code)
}

/** @param wait milliseconds */
function throwTooSoon(wait: number): never {
  throwHttpError(429, 'Please wait a minute before asking for another code.', { retryAfter: wait / 1000 })
}
