import { placeholderReason, throwTokenError } from '../../bot-check/bot-check.ts'
import { minutes } from '../../clock.ts'
import type { Services } from '../../services.ts'
import type { KnownBrowser } from './known-browser.server.ts'

/** Failures of an account, or from an address, after which a browser that cannot load the bot check is refused. */
const FAILURES_WITHOUT_TOKEN = 3
const PER = minutes(15)
/** Keyed by the email as entered: the limit must not show whether there is such an account. */
const FAILED_BY_ACCOUNT = { name: 'failed logins by account', count: FAILURES_WITHOUT_TOKEN, per: PER }
const FAILED_BY_ADDRESS = { name: 'failed logins by address', count: FAILURES_WITHOUT_TOKEN, per: PER }

interface Attempt {
  /** In its canonical form. */
  readonly email: string
  /** The network address of the client. */
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
export async function passBotCheck(
  { botCheck, rateLimiter, settings }: Services,
  attempt: Attempt,
): Promise<() => Promise<void>> {
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
