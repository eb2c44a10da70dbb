import { throwHttpError } from '../http/http-error.ts'
import type { ProviderResult } from './recaptcha.ts'
import { NO_SCRIPT_TOKEN, placeholders, TOKEN_MESSAGE } from './token.ts'

/**
 * What is known of the sender of a form, as it is kept with the message. `off` and `verified` raise no doubt; the
 * others name the reason or the low score.
 */
export type Verification = 'off' | 'verified' | `unverified:${string}` | `suspect:${number}`

/** Google's own suggestion: from here on a v3 score counts as a person. */
const MIN_SCORE = 0.5

/** Why a form could not get a token; null for anything that may be a real one. */
export function placeholderReason(token: string): string | null {
  if (token === NO_SCRIPT_TOKEN) return 'unavailable_nojs'
  return Object.entries(placeholders).find(([, prefix]) => token.startsWith(prefix))?.[0] ?? null
}

/**
 * The whole rule. Only a missing, forged or used token is refused; whoever cannot be verified for any other reason is
 * let in and marked. @param ask puts a token to the provider @throws {Problem} 400
 */
export async function decide(
  isEnabled: boolean,
  token: string | undefined,
  ask: (token: string) => Promise<ProviderResult>,
): Promise<Verification> {
  if (!isEnabled) return 'off'
  if (!token) return throwTokenError()
  const reason = placeholderReason(token)
  if (reason) return `unverified:${reason}`
  const result = await ask(token)
  if (result.kind === 'refused') return throwTokenError()
  if (result.kind === 'unknown') return `unverified:${result.reason}`
  if (result.score !== null && result.score < MIN_SCORE) return `suspect:${result.score}`
  return 'verified'
}

/** Whether a message with this verdict takes the tighter limits. */
export function isUnverified(verdict: Verification): boolean {
  return verdict !== 'off' && verdict !== 'verified'
}

/** The answer to a form without a token that counts. @throws {Problem} 400 */
export function throwTokenError(): never {
  throwHttpError(400, TOKEN_MESSAGE, { errors: { recaptchaToken: TOKEN_MESSAGE } })
}
