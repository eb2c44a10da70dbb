import { hours } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import type { HandlerContext } from '../http/api-router.ts'
import type { EmailSignature } from '../mail/email.ts'
import type { Services } from '../services.ts'
import { sensitiveChangeEmail } from './account-emails.ts'

/** The call in which an admin makes a sensitive change; an API token cannot. */
export type AdminCall = Pick<HandlerContext<'signed-in', 'denied'>, 'address' | 'session'>

/** A change to permissions, or to the settings for mail and keys. It never contains the value of a secret. */
export interface SensitiveChange {
  /** The subject: a whole sentence without its full stop. */
  readonly what: string
  /** Label and value of what was changed. */
  readonly facts: readonly (readonly [label: string, value: string])[]
}

/**
 * Every admin gets an email for each change. More than anybody makes by hand in an hour would bury the emails that
 * matter, so further changes are refused.
 */
const NOTIFICATIONS_PER_ADMIN = { name: 'announced changes', count: 100, per: hours(1) }

/** Counts a change towards the admin's hourly limit. @throws {HttpError} 429 */
export async function consumeNotification({ rateLimiter }: Services, { session }: AdminCall): Promise<void> {
  await rateLimiter.consume(NOTIFICATIONS_PER_ADMIN, session.user.id)
}

/** Queues an email to every admin, including the one who made the change, in the transaction of the change. */
export async function notifyAdmins(
  { clock, outbox }: Services,
  transaction: Database,
  { address, session: { user: by } }: AdminCall,
  change: SensitiveChange,
  signature: EmailSignature,
): Promise<void> {
  const admins = await transaction
    .selectFrom('users')
    .select(['email', 'name'])
    .where('role', '=', 'admin')
    .orderBy('id')
    .execute()
  const details = { ...change, by, address, at: clock().toISOString() }
  for (const admin of admins)
    await outbox.add(transaction, sensitiveChangeEmail(admin, details, signature), null)
}
