import { refuse } from '../http/problem.ts'
import type { Finding } from './recaptcha.ts'
import { NO_SCRIPT_TOKEN, placeholders, TOKEN_MESSAGE } from './token.ts'

/**
 * What is known of the sender of a form, as it is kept with the message. `off` and `verified` raise no doubt; the
 * others name the reason or the low score.
 */
export type Verdict = 'off' | 'verified' | `unverified:${string}` | `suspect:${number}`

/** Google's own suggestion: from here on a v3 score counts as a person. */
const LEAST_SCORE = 0.5

/** Why a form could not get a token; null for anything that may be a real one. */
export function placeholderReason(token: string): string | null {
  if (token === NO_SCRIPT_TOKEN) return 'unavailable_nojs'
  return Object.entries(placeholders).find(([, prefix]) => token.startsWith(prefix))?.[0] ?? null
}

/**
 * The whole rule. Only a missing, forged or used token is refused; whoever cannot be verified for any other reason is
 * let in and marked. @param ask puts a token to the provider @throws {Problem} 400
 */
export async function giveVerdict(
  isEnabled: boolean,
  token: string | undefined,
  ask: (token: string) => Promise<Finding>,
): Promise<Verdict> {
  if (!isEnabled) return 'off'
  if (!token) return refuseToken()
  const reason = placeholderReason(token)
  if (reason) return `unverified:${reason}`
  const finding = await ask(token)
  if (finding.kind === 'refused') return refuseToken()
  if (finding.kind === 'unknown') return `unverified:${finding.reason}`
  if (finding.score !== null && finding.score < LEAST_SCORE) return `suspect:${finding.score}`
  return 'verified'
}

/** Whether a message with this verdict takes the tighter limits. */
export function isDoubtful(verdict: Verdict): boolean {
  return verdict !== 'off' && verdict !== 'verified'
}

/** The answer to a form without a token that counts. @throws {Problem} 400 */
export function refuseToken(): never {
  refuse(400, TOKEN_MESSAGE, { errors: { recaptchaToken: TOKEN_MESSAGE } })
}
