import { passwordResetEmail, readSignature } from '../../auth/account-emails.ts'
import { LINK_LIFETIMES } from '../../auth/lifetimes.ts'
import { lockUserByEmail } from '../../auth/lock-user.ts'
import { createPasswordLink } from '../../auth/password-link.ts'
import { isUnverified } from '../../bot-check/bot-check.ts'
import { whereWithin } from '../../database/lifetime.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import type { EmailSignature } from '../../mail/email.ts'
import { type Clock, days, hours, isoAfter, minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import type { LinkRequest } from './contract.ts'

/** Where Google is blocked, a form can only send a placeholder: enough for a person, too few for a program. */
const UNVERIFIED_PER_ADDRESS = { name: 'unverified password link requests', count: 3, per: hours(1) }

/**
 * Stores a request for a link. Whether there is such an account is looked up later, by `sendResetLinks`: so the reply and
 * the time that it takes are the same for every address. @throws {HttpError} 400, 429
 */
export async function requestLink(
  { db, clock, botCheck, rateLimiter, settings }: Services,
  { email, recaptchaToken }: LinkRequest,
  { address, log }: HandlerContext<'public'>,
): Promise<void> {
  const verification = await botCheck.verify(recaptchaToken, address, await settings.publicValues())
  if (isUnverified(verification)) await rateLimiter.consume(UNVERIFIED_PER_ADDRESS, address)
  await insertRequest(db, clock, email)
  log('info', 'Auth', 'Password link requested')
}

/** Links of one account at a time: enough for slow mail, too few to flood a mailbox. */
const MAX_LINKS = 3
/** Somebody who keeps asking in another person's name cannot fill their mailbox: three every half hour would be 144 a day. */
const LINKS_PER_DAY = { name: 'password links of an account', count: 10, per: days(1) }

/**
 * Sends the links that were requested, to addresses that belong to an account and are verified. An unverified address may
 * be a stranger's, who would also get the sign-in code. The request itself does not look: neither its reply nor its time
 * must show who has an account.
 */
export async function sendResetLinks(services: Services): Promise<void> {
  const { db } = services
  if (!(await hasRequests(db))) return
  const signature = await readSignature(services)
  await inTransaction(db, async transaction => {
    for (const email of await takeRequests(transaction)) {
      const user = await lockUserByEmail(transaction, email)
      if (user) await sendLink(services, transaction, user, signature)
    }
  })
}

async function sendLink(
  services: Services,
  transaction: Transaction,
  user: UserRow,
  signature: EmailSignature,
): Promise<void> {
  const { log, outbox } = services
  const refusal = await findRefusal(services, transaction, user)
  if (refusal) return await log.within(transaction, 'warning', 'Auth', refusal, { targetUserId: user.id })
  const url = await createPasswordLink(transaction, services, user, 'reset')
  const email = passwordResetEmail(user, url, signature, LINK_LIFETIMES.reset / minutes(1))
  await outbox.add(transaction, email, null)
  await log.within(transaction, 'info', 'Auth', 'Password link sent', { targetUserId: user.id })
}

/** Why a user gets no link, for the log; null when they get one. */
async function findRefusal(
  { clock, rateLimiter }: Services,
  transaction: Transaction,
  { id, email_verified }: UserRow,
): Promise<string | null> {
  if (!email_verified) return 'Password link not sent: email address not verified'
  const links = await countResetLinks(transaction, clock, id)
  const isLeft = links < MAX_LINKS && (await rateLimiter.tryConsume(LINKS_PER_DAY, id))
  return isLeft ? null : 'Password link not sent: too many requested'
}

/** Requests that are handled at once: on SQLite, everyone else waits for them. */
const REQUESTS_AT_ONCE = 500

/** A second request before the first is handled changes nothing. @param email in its canonical form */
async function insertRequest(db: Database, clock: Clock, email: string): Promise<void> {
  await db
    .insertInto('password_requests')
    .values({ email, requested_at: isoAfter(clock) })
    .onConflict(conflict => conflict.column('email').doNothing())
    .execute()
}

async function hasRequests(db: Database): Promise<boolean> {
  return (await db.selectFrom('password_requests').select('email').limit(1).executeTakeFirst()) !== undefined
}

/** Deletes the oldest requests. When two nodes do this concurrently, each gets others. @returns their addresses */
async function takeRequests(transaction: Database): Promise<string[]> {
  const oldest = transaction
    .selectFrom('password_requests')
    .select('email')
    .orderBy('requested_at')
    .limit(REQUESTS_AT_ONCE)
  const taken = await transaction
    .deleteFrom('password_requests')
    .where('email', 'in', oldest)
    .returning('email')
    .execute()
  return taken.map(({ email }) => email)
}

async function countResetLinks(transaction: Database, clock: Clock, userId: string): Promise<number> {
  const links = await transaction
    .selectFrom('password_links')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'reset')
    .where(whereWithin('expires_at', clock, 0, LINK_LIFETIMES.reset))
    .execute()
  return links.length
}
