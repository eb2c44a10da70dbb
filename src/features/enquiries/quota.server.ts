import { isDoubtful, type Verdict } from '../../bot-check/verdict.ts'
import { minutes } from '../../clock.ts'
import type { Limit, RateLimits } from '../../http/rate-limit.ts'

/** Only what is stored takes from this; refused requests have a limit of their own. */
export const STORED_PER_ADDRESS = { name: 'stored enquiries', count: 10, per: minutes(10) }
/** Of those, so many may come from senders who could not be verified: enough for a family, too few for a flood. */
const DOUBTFUL_PER_ADDRESS = { name: 'doubtful enquiries', count: 3, per: minutes(10) }

/** Takes a place for an enquiry that is about to be stored. @throws {Problem} 429 when none is left */
export function takePlace(limits: RateLimits, verdict: Verdict, address: string): void {
  // A refusal by one must not have taken from another.
  for (const limit of limitsOf(verdict)) limits.check(limit, address)
  for (const limit of limitsOf(verdict)) limits.spend(limit, address)
}

/** Returns the place of an enquiry that was not stored after all. */
export function giveBackPlace(limits: RateLimits, verdict: Verdict, address: string): void {
  for (const limit of limitsOf(verdict)) limits.giveBack(limit, address)
}

function limitsOf(verdict: Verdict): readonly Limit[] {
  return isDoubtful(verdict) ? [STORED_PER_ADDRESS, DOUBTFUL_PER_ADDRESS] : [STORED_PER_ADDRESS]
}
