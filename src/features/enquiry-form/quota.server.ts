import { isUnverified, type Verification } from '../../bot-check/verification.ts'
import { minutes } from '../../clock.ts'
import type { Limit } from '../../http/limit.ts'

/** Only what is stored takes from this; refused requests have a limit of their own. */
export const STORED_PER_ADDRESS = { name: 'stored enquiries', count: 10, per: minutes(10) }
/** Of those, so many may come from senders who could not be verified: enough for a family, too few for a flood. */
const UNVERIFIED_PER_ADDRESS = { name: 'doubtful enquiries', count: 3, per: minutes(10) }

/** What an enquiry takes from when it is stored. */
export function limitsOf(verdict: Verification): readonly Limit[] {
  return isUnverified(verdict) ? [STORED_PER_ADDRESS, UNVERIFIED_PER_ADDRESS] : [STORED_PER_ADDRESS]
}
