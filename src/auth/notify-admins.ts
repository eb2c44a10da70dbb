import { hours } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import type { HandlerContext } from '../http/api-router.ts'
import type { EmailSignature } from '../mail/email.ts'
import type { Services } from '../services.ts'
import { powerChangedLetter } from './account-emails.ts'

/** The call in which an admin gives or takes power, always in person. */
export type AdminCall = Pick<HandlerContext<'admin', 'denied'>, 'address' | 'session'>

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
const NOTIFICATIONS_PER_ADMIN = { name: 'announced changes', count: 100, per: hours(1) }

/** Takes one of the changes that an admin may make in an hour. @throws {Problem} 429 */
export async function consumeNotification({ rateLimiter }: Services, { session }: AdminCall): Promise<void> {
  await rateLimiter.consume(NOTIFICATIONS_PER_ADMIN, session.user.id)
}

/** Writes an email to every admin, who made the change among them, in the transaction of the change. */
export async function notifyAdmins(
  { clock, outbox }: Services,
  transaction: Database,
  { address, session: { user: by } }: AdminCall,
  change: PowerChange,
  signature: EmailSignature,
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
