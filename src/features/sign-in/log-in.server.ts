import type * as z from 'zod/mini'
import { refuse } from '../../http/problem.ts'
import type { Call } from '../../http/serve.ts'
import { beginSession, endSession, type SignedInUser } from '../../http/session.ts'
import type { Log } from '../../log.ts'
import type { Services } from '../../services.ts'
import { passBotCheck } from './bot-check.server.ts'
import { checkPassword } from './check-password.server.ts'
import { hashCode, newCode, sendCode } from './code.server.ts'
import type { Credentials } from './contract.ts'
import { recogniseBrowser } from './recognise-browser.server.ts'
import { beginPending, isTrustedDevice, takeConsoleCode } from './store.server.ts'

/** The password. A trusted device is signed in by it; any other browser is sent a code and waits for it. */
export async function logIn(
  services: Services,
  { email, password, recaptchaToken }: z.output<typeof Credentials>,
  call: Call<'public'>,
) {
  const { db, clock } = services
  const forgive = await passBotCheck(services, { email, address: call.address, token: recaptchaToken })
  const user = await checkPassword(services, email, password, call.log)
  await forgive()
  const device = call.cookies.get('device')
  if (device && (await isTrustedDevice(db, clock, user.id, device))) {
    await replaceSession(services, call)
    await openSession(services, call, user, 'trusted device')
    return { requiresTwoFactor: false as const, user }
  }
  const log: Log = (level, source, message, details) =>
    call.log(level, source, message, { userId: user.id, ...details })
  const codeHash = (await takeConsoleCode(db, clock, user.id)) ?? (await sendFirstCode(services, user, log))
  const pending = await beginPending(db, clock, user.id, codeHash)
  await replaceSession(services, call)
  call.cookies.set('pending', pending)
  return { requiresTwoFactor: true as const, user }
}

/** Signs this browser in, and tells the owner of the account when it was never used there before. */
export async function openSession(
  services: Services,
  call: Pick<Call<'public'>, 'address' | 'cookies' | 'header' | 'log'>,
  user: SignedInUser,
  by: 'code' | 'trusted device',
): Promise<void> {
  const { db, clock } = services
  call.cookies.set('session', await beginSession(db, clock, user.id, call.header('user-agent') ?? ''))
  call.cookies.set('signed_in', '1')
  call.log('info', 'Auth', 'Signed in', { userId: user.id, by })
  await recogniseBrowser(services, call, user)
}

/** Ends the session that this browser had: once its cookie is gone, nobody could. */
async function replaceSession({ db }: Services, call: Call<'public'>) {
  if (call.session) await endSession(db, call.session.id)
  call.cookies.clear('session')
  call.cookies.clear('signed_in')
}

/** @returns the hash of a code whose letter the transport has taken. */
async function sendFirstCode(services: Services, user: SignedInUser, log: Log): Promise<string> {
  const code = newCode()
  if (await sendCode(services, user.email, code, log)) return hashCode(services.keys.signInCode, code)
  const message = 'The verification code could not be sent. Please try again in a few minutes.'
  return refuse(503, message, { retryAfter: 60 })
}
