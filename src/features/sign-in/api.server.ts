import { canonicalEmail } from '../../accounts/canonical-email.ts'
import { hours, minutes } from '../../clock.ts'
import { csrfAnchor, newAnonymousAnchor } from '../../http/guard.ts'
import { refuse } from '../../http/problem.ts'
import { type Call, type Door, serve } from '../../http/serve.ts'
import { beginSession, endSession, type PendingSignIn, type SignedInUser } from '../../http/session.ts'
import { issueCsrfToken } from '../../http/token.ts'
import type { Services } from '../../services.ts'
import { passBotCheck } from './bot-check.server.ts'
import { hashCode, isCodeRight, newCode, sendCode } from './code.server.ts'
import { signIn } from './contract.ts'
import { enter } from './enter.server.ts'
import * as store from './store.server.ts'

const LOGINS_PER_ADDRESS = { name: 'logins', count: 20, per: minutes(5) }
const WRONG_CODES_PER_ACCOUNT = { name: 'wrong codes', count: 10, per: minutes(15) }
const RESENDS_PER_ACCOUNT = { name: 'resends', count: 5, per: hours(1) }
const RESEND_AFTER = minutes(1)

/** Password, code, session: the calls of the sign-in. */
export function serveSignIn(door: Door): void {
  const { services } = door
  const { db, clock, keys, limits, log } = services

  serve(door, signIn.csrfToken, async (_input, call) => {
    const anchor = csrfAnchor(call.cookies, call) ?? newAnonymousAnchor(call.cookies)
    return { csrfToken: issueCsrfToken(keys.csrf, anchor) }
  })

  serve(door, signIn.me, async (_input, { session }) => ({ user: session.user }))

  serve(
    door,
    signIn.login,
    async ({ email: given, password, recaptchaToken }, call) => {
      const email = canonicalEmail(given)
      const forgive = await passBotCheck(services, { email, address: call.address, token: recaptchaToken })
      const user = await enter(services, email, password)
      forgive()
      const device = call.cookies.get('device')
      if (device && (await store.isTrustedDevice(db, clock, user.id, device))) {
        // Its cookie is replaced, so nobody could end the session before.
        if (call.session) await endSession(db, call.session.id)
        await openSession(services, call, user)
        return { requiresTwoFactor: false as const, user }
      }
      const codeHash =
        (await store.takeConsoleCode(db, clock, user.id)) ?? (await sendFirstCode(services, user))
      const token = await store.beginPending(db, clock, user.id, codeHash)
      if (call.session) await endSession(db, call.session.id)
      call.cookies.clear('session')
      call.cookies.clear('signed_in')
      call.cookies.set('pending', token)
      return { requiresTwoFactor: true as const, user }
    },
    { perAddress: LOGINS_PER_ADDRESS },
  )

  serve(door, signIn.verifyCode, async ({ code, trustDevice }, call) => {
    const { pending } = call
    limits.check(WRONG_CODES_PER_ACCOUNT, pending.user.id)
    if (!(await isPendingCode(services, pending, code))) {
      limits.spend(WRONG_CODES_PER_ACCOUNT, pending.user.id)
      log('warning', 'Auth', 'A wrong sign-in code was given', {
        user: pending.user.id,
        requestId: call.requestId,
      })
      refuse(401, 'Verification failed')
    }
    call.cookies.clear('pending')
    if (trustDevice) call.cookies.set('device', await store.trustDevice(db, clock, pending.user.id))
    await openSession(services, call, pending.user)
    return { user: pending.user }
  })

  serve(door, signIn.resendCode, async (_input, { pending }) => {
    const sinceLast = clock().getTime() - Date.parse(pending.codeSentAt)
    if (sinceLast < RESEND_AFTER) refuseResend(RESEND_AFTER - sinceLast)
    limits.check(RESENDS_PER_ACCOUNT, pending.user.id)
    const code = newCode()
    const isFirst = await store.replaceCode(db, clock, pending, hashCode(keys.signInCode, code))
    if (!isFirst) refuseResend(RESEND_AFTER)
    limits.spend(RESENDS_PER_ACCOUNT, pending.user.id)
    if (!(await sendCode(services, pending.user.email, code)))
      refuse(503, 'Failed to resend code', { retryAfter: 60 })
    return {}
  })

  serve(door, signIn.logout, async (_input, call) => {
    if (call.session) {
      await endSession(db, call.session.id)
      log('info', 'Auth', 'Signed out', { user: call.session.user.id, requestId: call.requestId })
    }
    if (call.pending) await store.endPending(db, call.pending.tokenHash)
    for (const name of ['session', 'pending', 'signed_in'] as const) call.cookies.clear(name)
    call.setHeader('Clear-Site-Data', '"cache"')
    return {}
  })
}

/** @returns the hash of a code whose letter the transport has taken. */
async function sendFirstCode(services: Services, user: SignedInUser): Promise<string> {
  const code = newCode()
  if (await sendCode(services, user.email, code)) return hashCode(services.keys.signInCode, code)
  const message = 'The verification code could not be sent. Please try again in a few minutes.'
  return refuse(503, message, { retryAfter: 60 })
}

/** @param wait milliseconds */
function refuseResend(wait: number): never {
  refuse(429, 'Please wait a minute before asking for another code.', { retryAfter: wait / 1000 })
}

/** Uses up a guess first, then the code itself: it works once. */
async function isPendingCode(
  { db, clock, keys }: Services,
  pending: PendingSignIn,
  code: string,
): Promise<boolean> {
  if (!(await store.takeGuess(db, pending.tokenHash))) return false
  const isInTime = Date.parse(pending.codeExpiresAt) > clock().getTime()
  if (isInTime && isCodeRight(keys.signInCode, code, pending.codeHash))
    return await store.endPending(db, pending.tokenHash)
  await store.endPendingWithoutGuesses(db, pending.tokenHash)
  return false
}

async function openSession(
  { db, clock, log }: Services,
  call: Pick<Call<'public'>, 'cookies' | 'header' | 'requestId'>,
  user: SignedInUser,
) {
  call.cookies.set('session', await beginSession(db, clock, user.id, call.header('user-agent') ?? ''))
  call.cookies.set('signed_in', '1')
  log('info', 'Auth', 'Signed in', { user: user.id, requestId: call.requestId })
}
