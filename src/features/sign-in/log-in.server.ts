import type * as z from 'zod/mini'
import { readSignature } from '../../auth/account-emails.ts'
import { type CheckedUser, lockUnchangedUser } from '../../auth/lock-user.ts'
import { isPasswordRight, limitConcurrency } from '../../auth/password.ts'
import { deleteSession, type SignedInUser } from '../../auth/session.ts'
import { hashCode, newCode } from '../../auth/six-digits.ts'
import { placeholderReason, throwTokenError } from '../../bot-check/bot-check.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Log } from '../../log/logger.ts'
import { minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { consumeCode, printCode, sendCode } from './code.server.ts'
import { findConsoleCode } from './console-code.server.ts'
import type { Credentials } from './contract.ts'
import { findKnownBrowser, type KnownBrowser } from './known-browser.server.ts'
import {
  createPending,
  findUserByEmail,
  insertConsoleCode,
  isTrustedDevice,
  newStoredCode,
} from './store.server.ts'
import { completeSignIn, openSession, toSignedInUser } from './verify-code.server.ts'
import { consumeAttempt, resetWrongPasswords } from './wrong-passwords.server.ts'

/** Checks the password. A trusted device is then signed in; any other browser needs the code that is sent. */
export async function logIn(
  services: Services,
  { email, password, recaptchaToken }: z.output<typeof Credentials>,
  call: HandlerContext<'public'>,
) {
  const browser = await findKnownBrowser(services.db, services.clock, call.cookies)
  const attempt = { email, address: call.address, token: recaptchaToken, browser }
  const refund = await passBotCheck(services, attempt)
  const checked = await checkPassword(services, { email, password, browser }, call.log)
  await refund()
  const user = await enterTrusted(services, call, checked)
  if (user) return { requiresTwoFactor: false as const, user }
  const waiting =
    (await waitForConsoleCode(services, call, checked)) ?? (await waitForEmail(services, call, checked))
  call.cookies.set('pending', waiting)
  for (const name of ['session', 'signed_in'] as const) call.cookies.clear(name)
  return { requiresTwoFactor: true as const, user: toSignedInUser(checked) }
}

async function enterTrusted(
  services: Services,
  call: HandlerContext<'public'>,
  checked: UserRow,
): Promise<SignedInUser | null> {
  const { db, clock } = services
  const device = call.cookies.get('device')
  if (!device || !(await isTrustedDevice(db, clock, checked.id, device))) return null
  const signature = await readSignature(services)
  const opened = await inTransaction(db, async transaction => {
    const user = await lockUnchangedOrThrow(transaction, call, checked)
    if (!(await isTrustedDevice(transaction, clock, user.id, device))) return null
    await deletePreviousSession(transaction, call)
    return await openSession(services, transaction, call, user, signature)
  })
  if (opened) completeSignIn(call, opened, 'trusted device')
  return opened?.user ?? null
}

/** @returns the token of a pending sign-in for the code printed on the server; null when none was printed. */
async function waitForConsoleCode({ db, clock }: Services, call: HandlerContext<'public'>, checked: UserRow) {
  return await inTransaction(db, async transaction => {
    const user = await lockUnchangedOrThrow(transaction, call, checked)
    const code = await findConsoleCode(transaction, clock, user.id)
    if (!code) return null
    await deletePreviousSession(transaction, call)
    return await createPending(transaction, clock, user.id, code)
  })
}

/** @returns the token of a pending sign-in whose code the mail transport has accepted, or else the console. */
async function waitForEmail(services: Services, call: HandlerContext<'public'>, checked: UserRow) {
  const { db, clock, keys } = services
  const log: Log = (level, source, message, details) =>
    call.log(level, source, message, { userId: checked.id, ...details })
  await consumeCode(services, checked.id)
  const code = newCode()
  const isSent = await sendCode(services, checked, code, log)
  const stored = newStoredCode(clock, hashCode(keys.signInCode, code))
  const token = await inTransaction(db, async transaction => {
    const user = await lockUnchangedOrThrow(transaction, call, checked)
    await deletePreviousSession(transaction, call)
    if (!isSent) await insertConsoleCode(transaction, user.id, stored)
    return await createPending(transaction, clock, user.id, stored)
  })
  if (!isSent) printCode(services, checked, code)
  return token
}

/** @throws {HttpError} 401 when the user was changed since the password was checked */
async function lockUnchangedOrThrow(
  transaction: Database,
  { log }: HandlerContext<'public'>,
  checked: CheckedUser,
): Promise<UserRow> {
  const user = await lockUnchangedUser(transaction, checked)
  if (user) return user
  log('warning', 'Auth', 'Sign-in failed: account changed during sign-in', { userId: checked.id })
  return throwLoginFailed()
}

/** Deletes the session that this browser had: once its cookie is overwritten, nobody could end it. */
async function deletePreviousSession(transaction: Database, { session }: HandlerContext<'public'>) {
  if (session) await deleteSession(transaction, session.id)
}

/** Failures of an account, or from an address, after which a browser that cannot load the bot check is refused. */
const FAILURES_WITHOUT_TOKEN = 3
const PER = minutes(15)
/** Keyed by the email as entered: the limit must not show whether there is such an account. */
const FAILED_BY_ACCOUNT = { name: 'failed logins by account', count: FAILURES_WITHOUT_TOKEN, per: PER }
const FAILED_BY_ADDRESS = { name: 'failed logins by address', count: FAILURES_WITHOUT_TOKEN, per: PER }

interface Attempt {
  /** In its canonical form. */
  readonly email: string
  readonly address: string
  readonly token: string | undefined
  /** Null for a stranger's browser. */
  readonly browser: KnownBrowser | null
}

/**
 * Applies the bot check to a login. Staff in networks where Google is blocked can only send a placeholder, which is
 * accepted until there are too many failures. A provider that is down locks nobody out. The attempt counts as failed
 * from here on, so that concurrent guesses cannot exceed the limit.
 * @returns a function that undoes this count: call it once the password is right.
 * @throws {HttpError} 400
 */
async function passBotCheck({ botCheck, rateLimiter, settings }: Services, attempt: Attempt) {
  const { email, address, token = '', browser } = attempt
  const verification = await botCheck.verify(token, address, await settings.publicValues())
  const counted = [
    // A known browser is counted separately, so that failures of strangers do not affect it.
    { limit: FAILED_BY_ACCOUNT, key: browser ? `${email} ${browser.id}` : email },
    { limit: FAILED_BY_ADDRESS, key: browser ? browser.id : address },
  ]
  const consumed: typeof counted = []
  for (const each of counted) if (await rateLimiter.tryConsume(each.limit, each.key)) consumed.push(each)
  const refund = async () => {
    for (const { limit, key } of consumed) await rateLimiter.refund(limit, key)
  }
  const isGuessing = consumed.length < counted.length
  if (isGuessing && verification !== 'off' && placeholderReason(token) !== null) {
    await refund()
    throwTokenError()
  }
  return refund
}

interface LoginAttempt {
  /** In its canonical form. */
  readonly email: string
  readonly password: string
  readonly browser: KnownBrowser | null
}

/**
 * Finds the user with this address and password. For an unknown account, a wrong password and a locked account, the
 * reply is the same and takes the same time. @throws {HttpError} 401
 */
async function checkPassword({ db, clock }: Services, { email, password, browser }: LoginAttempt, log: Log) {
  const { user, attempt, isRight } = await limitConcurrency(browser ? 'staff' : 'stranger', async () => {
    const found = await findUserByEmail(db, email)
    const checks = [
      consumeAttempt(db, clock, email, browser),
      isPasswordRight(password, found?.password_hash),
    ] as const
    const [left, right] = await Promise.all(checks)
    return { user: found, attempt: left, isRight: right }
  })
  if (!user) {
    log('warning', 'Auth', 'Sign-in failed: no such account')
    return throwLoginFailed()
  }
  if (attempt === 'no attempts left') {
    log('warning', 'Auth', 'Sign-in failed: account is locked', { userId: user.id })
    return throwLoginFailed()
  }
  if (!isRight) {
    const message = attempt === 'last attempt' ? 'Account locked' : 'Sign-in failed: wrong password'
    log('warning', 'Auth', message, { userId: user.id })
    return throwLoginFailed()
  }
  await resetWrongPasswords(db, user.id, browser)
  return user
}

function throwLoginFailed(): never {
  throwHttpError(401, 'Login failed')
}
