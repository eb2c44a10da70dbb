import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { CheckedUser } from '../../auth/lock-user.ts'
import { hours, minutes, seconds } from '../../clock.ts'
import { describeError, type Log } from '../../log/logger.ts'
import { renderEmail } from '../../mail/email.ts'
import { DeliveryError } from '../../mail/mail.ts'
import type { Services } from '../../services.ts'
import { CODE_LIFETIME } from './store.server.ts'

/** A person is waiting for the email; after this they see that it could not be sent. */
const SEND_TIMEOUT = seconds(10)

/**
 * First and resent codes together: enough for a person whose mail is slow, too few for an attacker with the password to
 * flood a mailbox or to make many guesses.
 */
const CODES_PER_ACCOUNT = { name: 'sign-in codes', count: 5, per: hours(1) }

/** Six digits; each of the million codes is equally likely. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Keyed, because an attacker with a copy of the database would immediately reverse a plain hash of six digits. */
export function hashCode(key: Buffer, code: string): string {
  return createHmac('sha256', key).update(code).digest('hex')
}

export function isCodeRight(key: Buffer, code: string, stored: string): boolean {
  return timingSafeEqual(Buffer.from(hashCode(key, code)), Buffer.from(stored))
}

/** Counts a code towards the hourly limit of the account, before anything is changed. @throws {HttpError} 429 */
export async function consumeCode({ rateLimiter }: Services, userId: string): Promise<void> {
  await rateLimiter.consume(CODES_PER_ACCOUNT, userId)
}

/** Undoes `consumeCode` when no email was sent. */
export async function refundCode({ rateLimiter }: Services, userId: string): Promise<void> {
  await rateLimiter.refund(CODES_PER_ACCOUNT, userId)
}

/**
 * Sends a code that was counted with `consumeCode`. A code that the provider refused does not count; after a timeout it
 * may still arrive, so it counts. @returns whether the mail transport has accepted it
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

/**
 * Sends the code and waits for the transport. Does not use the outbox: from there the code could
 * arrive late, and its digits would be stored.
 */
async function deliverCode(
  { mail, settings, emailSignature }: Services,
  to: string,
  code: string,
  log: Log,
): Promise<'sent' | 'refused' | 'unknown'> {
  const { site_name: siteName } = await settings.publicValues()
  const email = renderEmail(
    {
      to,
      subject: `Your sign-in code for ${siteName}`,
      opening: 'Someone, most likely you, is signing in to the staff portal with your password. The code is:',
      code,
      closing: `It works once, within ${CODE_LIFETIME / minutes(1)} minutes. If this was not you, change your password: somebody else knows it.`,
    },
    emailSignature(siteName),
  )
  try {
    await mail.send(email, SEND_TIMEOUT)
    log('info', 'Auth', 'Sign-in code sent')
    return 'sent'
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    log('error', 'EmailService', 'Sign-in code could not be sent', { error: describeError(error).error })
    return error.isLate ? 'unknown' : 'refused'
  }
}
