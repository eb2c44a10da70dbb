import { hours } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import type { Call } from '../http/serve.ts'
import type { Signature } from '../mail/letter.ts'
import type { Services } from '../services.ts'
import { powerChangedLetter } from './letters.ts'

/** The call in which an admin gives or takes power, always in person. */
export type AdminCall = Pick<Call<'admin', 'refused'>, 'address' | 'session'>

/** A change of who may do what, or of where email and keys come from. Never the value of a secret. */
export interface PowerChange {
  /** A whole sentence, without its full stop, for the subject. */
  readonly what: string
  /** Label and value of what was changed. */
  readonly facts: readonly (readonly [label: string, value: string])[]
}

/**
 * Every admin gets an email for each. More in an hour than anybody makes by hand would only bury the ones that matter,
 * so they are refused.
 */
const ANNOUNCED_PER_ADMIN = { name: 'announced changes', count: 100, per: hours(1) }

/** Takes one of the changes that an admin may make in an hour. @throws {Problem} 429 */
export async function takeAnnouncement({ limits }: Services, { session }: AdminCall): Promise<void> {
  await limits.spend(ANNOUNCED_PER_ADMIN, session.user.id)
}

/** Writes an email to every admin, who made the change among them, in the transaction of the change. */
export async function tellAdmins(
  { clock, outbox }: Services,
  transaction: Database,
  { address, session: { user: by } }: AdminCall,
  change: PowerChange,
  signature: Signature,
): Promise<void> {
  const admins = await transaction
    .selectFrom('users')
    .select(['email', 'name'])
    .where('role', '=', 'admin')
    .orderBy('id')
    .execute()
  const act = { ...change, by, address, at: clock().toISOString() }
  for (const admin of admins) await outbox.add(transaction, powerChangedLetter(admin, act, signature), null)
}
