import { throwHttpError } from '../http/http-error.ts'
import { replies } from '../i18n/texts.ts'
import type { ProviderResult } from './recaptcha.ts'
import { NO_SCRIPT_TOKEN, placeholders } from './token.ts'

/**
 * The result of the bot check, as it is stored with the message. The last two have the reason or the low score.
 */
export type Verification = 'off' | 'verified' | `unverified:${string}` | `suspect:${number}`

/** Google's suggestion: a v3 score of at least this counts as a person. */
const MIN_SCORE = 0.5

/** Why a form could not get a token; null for anything that may be a real one. */
export function placeholderReason(token: string): string | null {
  if (token === NO_SCRIPT_TOKEN) return 'unavailable_nojs'
  return Object.entries(placeholders).find(([, prefix]) => token.startsWith(prefix))?.[0] ?? null
}

/**
 * The whole rule. Only a missing, forged or used token is rejected; a sender who cannot be verified for any other reason
 * is accepted and marked. @param ask sends a token to the provider @throws {HttpError} 400
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

/** Whether a message with this result counts against the tighter limits. */
export function isUnverified(verification: Verification): boolean {
  return verification !== 'off' && verification !== 'verified'
}

/** Rejects a form without a valid token. @throws {HttpError} 400 */
export function throwTokenError(): never {
  throwHttpError(400, replies.recaptchaToken, { errors: { recaptchaToken: replies.recaptchaToken } })
}
