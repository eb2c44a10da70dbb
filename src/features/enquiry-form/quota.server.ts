import { isUnverified, type Verification } from '../../bot-check/bot-check.ts'
import { minutes } from '../../clock.ts'
import type { Limit } from '../../http/limit.ts'

/** Counts stored enquiries only; refused requests have a limit of their own. */
export const STORED_PER_ADDRESS = { name: 'stored enquiries', count: 10, per: minutes(10) }
/** How many of those may be unverified: enough for a family, too few for a flood. */
const UNVERIFIED_PER_ADDRESS = { name: 'unverified enquiries', count: 3, per: minutes(10) }

/** The limits that a stored enquiry counts against. */
export function limitsOf(verification: Verification): readonly Limit[] {
  return isUnverified(verification) ? [STORED_PER_ADDRESS, UNVERIFIED_PER_ADDRESS] : [STORED_PER_ADDRESS]
}
