import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { CheckedUser } from '../../auth/lock-user.ts'
import { hours, minutes, seconds } from '../../clock.ts'
import { describeError, type Log } from '../../log/logger.ts'
import { renderEmail } from '../../mail/email.ts'
import { DeliveryError } from '../../mail/mail.ts'
import type { Services } from '../../services.ts'
import { CODE_LIFETIME } from './store.server.ts'

/** A person is waiting for the letter; after this they are told that it did not go. */
const SEND_TIMEOUT = seconds(10)

/**
 * First ones and further ones together: enough for a person whose mail is slow, too few to flood a mailbox, or to make
 * many guesses, for whoever knows the password.
 */
const CODES_PER_ACCOUNT = { name: 'sign-in codes', count: 5, per: hours(1) }

/** Six digits, each of the million equally likely. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Keyed, because an attacker with a copy of the database would find a plain hash of six digits at once. */
export function hashCode(key: Buffer, code: string): string {
  return createHmac('sha256', key).update(code).digest('hex')
}

export function isCodeRight(key: Buffer, code: string, stored: string): boolean {
  return timingSafeEqual(Buffer.from(hashCode(key, code)), Buffer.from(stored))
}

/** Takes one of the codes that an account may have in an hour, before anything is changed for it. @throws {Problem} 429 */
export async function takeCode({ rateLimiter }: Services, userId: string): Promise<void> {
  await rateLimiter.consume(CODES_PER_ACCOUNT, userId)
}

/** No email was sent for what was taken. */
export async function giveCodeBack({ rateLimiter }: Services, userId: string): Promise<void> {
  await rateLimiter.refund(CODES_PER_ACCOUNT, userId)
}

/**
 * Sends the code for which one was taken. One that the provider refused does not count; one of which it said nothing may
 * arrive all the same. @returns whether the transport has taken it
 */
export async function sendTakenCode(
  services: Services,
  { id, email }: Pick<CheckedUser, 'id' | 'email'>,
  code: string,
  log: Log,
): Promise<boolean> {
  const outcome = await sendCode(services, email, code, log)
  if (outcome === 'refused') await giveCodeBack(services, id)
  return outcome === 'sent'
}

/**
 * Sends the code and waits for the transport. It never goes through the outbox: there it could arrive late, and its
 * digits would be stored.
 */
async function sendCode(
  { mail, settings, emailSignature }: Services,
  to: string,
  code: string,
  log: Log,
): Promise<'sent' | 'refused' | 'unknown'> {
  const { site_name: siteName } = await settings.read()
  const email = renderEmail(
    {
      to,
      subject: `Your sign-in code for ${siteName}`,
      opening: 'Someone, most likely you, is signing in to the staff portal with your password. The code is:',
      code,
      closing: `It works once, within ${CODE_LIFETIME / minutes(1)} minutes. If this was not you, change your password: somebody knows it.`,
    },
    emailSignature(siteName),
  )
  try {
    await mail.send(email, SEND_TIMEOUT)
    log('info', 'Auth', 'A sign-in code was sent')
    return 'sent'
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    log('error', 'EmailService', 'A sign-in code could not be sent', { error: describeError(error).error })
    return error.isLate ? 'unknown' : 'refused'
  }
}
