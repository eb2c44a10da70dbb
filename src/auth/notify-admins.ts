import type { Database } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import type { HandlerContext } from '../http/api-router.ts'
import { throwHttpError } from '../http/http-error.ts'
import type { Email, EmailSignature } from '../mail/email.ts'
import { hours, seconds } from '../platform/clock.ts'
import type { Services } from '../services.ts'
import { type SensitiveChangeDetails, sensitiveChangeEmail } from './account-emails.ts'
import { permissionsOf } from './permissions.ts'

/** The call in which an admin makes a sensitive change; an API token cannot. */
export type AdminCall = Pick<HandlerContext<'signed-in', 'denied'>, 'address' | 'session'>

/** A change to permissions, or to the settings for mail and keys. It never contains the value of a secret. */
export type SensitiveChange = Pick<SensitiveChangeDetails, 'what' | 'facts'>

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
  services: Services,
  transaction: Transaction,
  call: AdminCall,
  change: SensitiveChange,
  signature: EmailSignature,
): Promise<void> {
  for (const email of await composeNotices(services, transaction, call, change, signature))
    await services.outbox.add(transaction, email, null)
}

/** Admins who are notified at the same time. */
const AT_ONCE = 10
const SEND_TIMEOUT = seconds(8)

/**
 * Notifies every admin before a change to how emails are sent, so that the notices go the old way: the person who makes
 * the change may read what goes the new one. @returns what could not be sent, for the outbox
 */
export async function notifyAdminsFirst(
  services: Services,
  call: AdminCall,
  change: SensitiveChange,
  signature: EmailSignature,
): Promise<readonly Email[]> {
  const { db, mail } = services
  const waiting = [...(await composeNotices(services, db, call, change, signature))]
  const unsent: Email[] = []
  // While it keeps failing, nobody waits for it once more.
  if ((await mail.state()) === 'open') return waiting
  while (waiting.length > 0 && unsent.length < AT_ONCE) {
    const batch = waiting.splice(0, AT_ONCE)
    const sent = await Promise.allSettled(batch.map(email => mail.send(email, SEND_TIMEOUT)))
    unsent.push(...batch.filter((_, at) => sent[at]?.status === 'rejected'))
  }
  return [...unsent, ...waiting]
}

async function composeNotices(
  { clock }: Services,
  db: Database,
  { address, session: { user: by } }: AdminCall,
  change: SensitiveChange,
  signature: EmailSignature,
): Promise<readonly Email[]> {
  const admins = await db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('role', '=', 'admin')
    .orderBy('id')
    .execute()
  const details = { ...change, by, address, at: clock().toISOString() }
  return admins.map(admin => sensitiveChangeEmail(admin, details, signature))
}

/**
 * Checks the caller again, in the transaction that makes the change: while the request waited for a password hash,
 * another admin may have signed them out, deleted or demoted them. @throws {HttpError} 401, 403
 */
export async function assertStillAdmin(transaction: Database, { session }: AdminCall): Promise<void> {
  const current = await transaction
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.role', 'users.inbox'])
    .where('sessions.id', '=', session.id)
    .executeTakeFirst()
  if (!current) throwHttpError(401, 'Please sign in to continue')
  const left = permissionsOf(current.role, current.inbox)
  const isAsBefore = session.permissions.every(permission => left.includes(permission))
  if (!isAsBefore) throwHttpError(403, "You don't have permission to do this")
}
