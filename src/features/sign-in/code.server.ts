import { RESEND_AFTER } from '../../auth/lifetimes.ts'
import { type CheckedUser, lockUser } from '../../auth/lock-user.ts'
import type { PendingSignIn } from '../../auth/session.ts'
import { hashCode, newCode } from '../../auth/six-digits.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { describeError, type Log } from '../../log/logger.ts'
import { renderEmail } from '../../mail/email.ts'
import { AWAITED_EMAIL, DeliveryError } from '../../mail/mail.ts'
import { hours, minutes } from '../../platform/clock.ts'
import { escapeControls } from '../../platform/terminal.ts'
import type { Services } from '../../services.ts'
import { deleteConsoleCode } from './console-code.server.ts'
import { CODE_LIFETIME, insertConsoleCode, isPending, newStoredCode, replaceCode } from './store.server.ts'

/**
 * First and resent codes together: enough for a person whose mail is slow, too few for an attacker with the password to
 * flood a mailbox or to make many guesses.
 */
const CODES_PER_ACCOUNT = { name: 'sign-in codes', count: 5, per: hours(1) }

/** Counts a code towards the hourly limit of the account, before anything is changed. @throws {HttpError} 429 */
export async function consumeCode({ rateLimiter }: Services, userId: string): Promise<void> {
  await rateLimiter.consume(CODES_PER_ACCOUNT, userId)
}

async function refundCode({ rateLimiter }: Services, userId: string): Promise<void> {
  await rateLimiter.refund(CODES_PER_ACCOUNT, userId)
}

/**
 * Sends a code that was counted with `consumeCode`. A code that the provider refused does not count; after a timeout it
 * may still arrive, so it counts.
 * @returns whether a mail transport that is known to work has accepted it; otherwise the code must be printed, or nobody
 * could sign in
 */
export async function sendCode(
  services: Services,
  { id, email }: Pick<CheckedUser, 'id' | 'email'>,
  code: string,
  log: Log,
): Promise<boolean> {
  const outcome = await deliverCode(services, email, code, log)
  if (outcome === 'refused') await refundCode(services, id)
  return outcome === 'sent'
}

/** On the console of the server alone: an entry of the log would be in the database, too. */
export function printCode({ print }: Services, { email }: Pick<CheckedUser, 'email'>, code: string): void {
  print(escapeControls(`The email to ${email} could not be sent, or may not arrive. Sign-in code: ${code}`))
}

/**
 * Sends the code and waits for the transport. Does not use the outbox: from there the code could
 * arrive late, and its digits would be stored.
 */
async function deliverCode(
  { mail, mailHealth, settings, emailSignature }: Services,
  to: string,
  code: string,
  log: Log,
): Promise<'sent' | 'refused' | 'unknown'> {
  const { site_name: siteName } = await settings.publicValues()
  const signature = emailSignature(siteName)
  const texts = signature.texts.emails.code
  const email = renderEmail(
    {
      to,
      subject: texts.subject(siteName),
      opening: texts.opening,
      code,
      closing: texts.closing(CODE_LIFETIME / minutes(1)),
    },
    signature,
  )
  // Nobody knows yet whether an email that this provider accepts arrives.
  const { isProven } = await mailHealth.read()
  try {
    await mail.send(email, AWAITED_EMAIL)
    log('info', 'Auth', 'Sign-in code sent')
    return isProven ? 'sent' : 'unknown'
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    log('error', 'EmailService', 'Sign-in code could not be sent', { error: describeError(error).error })
    return error.isLate ? 'unknown' : 'refused'
  }
}

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
    if (!(await lockUser(transaction, user.id))) return false
    if (!(await isPending(transaction, pending.tokenHash, codeHash))) return false
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
