import { placeholderReason, throwTokenError } from '../../bot-check/verification.ts'
import { minutes } from '../../clock.ts'
import type { Services } from '../../services.ts'
import type { KnownBrowser } from './known-browser.server.ts'

/** So many failures of an account, or from an address, before a browser that cannot load the bot check is refused. */
const FAILURES_WITHOUT_TOKEN = 3
const PER = minutes(15)
/** By the address that was typed: whether there is such an account must not show. */
const FAILED_BY_ACCOUNT = { name: 'failed logins by account', count: FAILURES_WITHOUT_TOKEN, per: PER }
const FAILED_BY_ADDRESS = { name: 'failed logins by address', count: FAILURES_WITHOUT_TOKEN, per: PER }

interface Attempt {
  /** In its canonical form. */
  readonly email: string
  /** The client address. */
  readonly address: string
  readonly token: string | undefined
  /** Null for a stranger's browser. */
  readonly browser: KnownBrowser | null
}

/**
 * Lets a login pass the bot check. Staff where Google is blocked have only a placeholder to show; that is enough until
 * passwords are being guessed. A provider that is down locks nobody out. The attempt counts as failed from here on, so
 * that many at once are not more than allowed. @returns takes that back: call it once the password is found right.
 * @throws {Problem} 400
 */
export async function passBotCheck(
  { botCheck, rateLimiter, settings }: Services,
  attempt: Attempt,
): Promise<() => Promise<void>> {
  const { email, address, token = '', browser } = attempt
  const verdict = await botCheck.verify(token, address, await settings.read())
  const counted = [
    // A browser that somebody has signed in with counts by itself: what strangers fail at is not held against it.
    { limit: FAILED_BY_ACCOUNT, key: browser ? `${email} ${browser.id}` : email },
    { limit: FAILED_BY_ADDRESS, key: browser ? browser.id : address },
  ]
  const taken: typeof counted = []
  for (const each of counted) if (await rateLimiter.tryConsume(each.limit, each.key)) taken.push(each)
  const giveBack = async () => {
    for (const { limit, key } of taken) await rateLimiter.refund(limit, key)
  }
  const isGuessing = taken.length < counted.length
  if (isGuessing && verdict !== 'off' && placeholderReason(token) !== null) {
    await giveBack()
    throwTokenError()
  }
  return giveBack
}
