import type * as z from 'zod/mini'
import { codesBlockedEmail, readSignature } from '../../auth/account-emails.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { createSession, type SignedInUser } from '../../auth/session.ts'
import { isCodeRight } from '../../auth/six-digits.ts'
import { isWithin } from '../../database/lifetime.ts'
import type { UserRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { EmailSignature } from '../../mail/email.ts'
import { days, minutes, seconds } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { consumePendingCode } from './console-code.server.ts'
import type { Code } from './contract.ts'
import { recordKnownBrowser } from './known-browser.server.ts'
import {
  CODE_LIFETIME,
  consumeAttempt,
  countWrongCode,
  deleteExhaustedPending,
  MAX_WRONG_CODES_IN_A_ROW,
  resetWrongCodes,
  trustDevice,
} from './store.server.ts'

const WRONG_CODES_PER_ACCOUNT = { name: 'wrong codes', count: 10, per: minutes(15) }

export async function verifyCode(
  services: Services,
  { code, trustDevice: isTrusted }: z.output<typeof Code>,
  call: HandlerContext<'pending'>,
) {
  const { rateLimiter } = services
  const { user } = call.pending
  // Counted as wrong before it is checked, so that concurrent guesses cannot exceed the limit.
  await rateLimiter.consume(WRONG_CODES_PER_ACCOUNT, user.id)
  const entered = (await isPendingCode(services, call, code)) && (await enter(services, call, isTrusted))
  if (!entered) {
    call.log('warning', 'Auth', 'Wrong sign-in code entered')
    throwHttpError(401, 'Verification failed')
  }
  await rateLimiter.refund(WRONG_CODES_PER_ACCOUNT, user.id)
  call.cookies.clear('pending')
  completeSignIn(call, entered, 'code')
  if (entered.device) {
    call.cookies.set('device', entered.device)
    call.log('info', 'Auth', 'Device trusted')
  }
  return { user: entered.user }
}

/**
 * Consumes the code and creates the session in one transaction, so the code works once. A change of the password, role
 * or address of a user, or their deletion, also deletes their pending sign-ins, so one that still exists began with the
 * current password. @returns null when it no longer exists
 */
async function enter(
  services: Services,
  call: HandlerContext<'pending'>,
  isTrusted: boolean,
): Promise<(OpenedSession & { readonly device: string | null }) | null> {
  const { db, clock } = services
  const { pending } = call
  const signature = await readSignature(services)
  return await inTransaction(db, async transaction => {
    const user = await lockUser(transaction, pending.user.id)
    if (!user || !(await consumePendingCode(transaction, pending))) return null
    await resetWrongCodes(transaction, user.id)
    const opened = await openSession(services, transaction, call, user, signature)
    return { ...opened, device: isTrusted ? await trustDevice(transaction, clock, user.id) : null }
  })
}

/** Consumes an attempt before it checks the code. */
async function isPendingCode(services: Services, call: HandlerContext<'pending'>, code: string) {
  const { db, clock, keys } = services
  const { pending } = call
  if (!(await consumeAttempt(db, pending.tokenHash))) return false
  const inARow = (await countWrongCode(db, pending.user.id)) ?? throwCodesBlocked()
  const isInTime = isWithin(pending.codeExpiresAt, clock, 0, CODE_LIFETIME)
  if (isInTime && isCodeRight(keys.signInCode, code, pending.codeHash)) return true
  if (inARow === MAX_WRONG_CODES_IN_A_ROW) await sendCodesBlockedEmail(services, call)
  await deleteExhaustedPending(db, pending.tokenHash)
  return false
}

/** Waiting does not help; a day is about what it takes to reach an admin. */
function throwCodesBlocked(): never {
  throwHttpError(429, 'Too many wrong codes in a row. Ask an admin to set a new password for you.', {
    retryAfter: days(1) / seconds(1),
  })
}

async function sendCodesBlockedEmail(services: Services, { pending, log }: HandlerContext<'pending'>) {
  const { db, outbox } = services
  log('error', 'Auth', 'Sign-in codes blocked for an account')
  const email = codesBlockedEmail(pending.user, await readSignature(services))
  await inTransaction(db, transaction => outbox.add(transaction, email, null))
}

type SignInCall = Pick<HandlerContext<'public'>, 'address' | 'cookies' | 'header' | 'log'>

/** A stored session and the values of its cookies, which are sent only after the transaction has committed. */
interface OpenedSession {
  readonly user: SignedInUser
  readonly session: string
  readonly browser: string
}

/** Creates a session for this browser, and sends an email to the owner of the account when the browser is new. */
export async function openSession(
  services: Services,
  transaction: Transaction,
  call: SignInCall,
  row: UserRow,
  signature: EmailSignature,
): Promise<OpenedSession> {
  const user = toSignedInUser(row)
  const userAgent = call.header('user-agent') ?? ''
  const session = await createSession(transaction, services.clock, user.id, userAgent)
  const browser = await recordKnownBrowser(services, transaction, call, user, signature)
  return { user, session, browser }
}

/** Sets the cookies of a committed session and logs the sign-in. */
export function completeSignIn(
  { cookies, log }: SignInCall,
  { user, session, browser }: OpenedSession,
  by: 'code' | 'trusted device' | 'set-up link',
): void {
  cookies.set('session', session)
  cookies.set('signed_in', '1')
  // Set again to extend its lifetime.
  cookies.set('browser', browser)
  log('info', 'Auth', 'Signed in', { userId: user.id, by })
}

export function toSignedInUser({ id, email, name, role }: UserRow): SignedInUser {
  return { id, email, name, role }
}
