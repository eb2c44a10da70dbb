import { newDeviceEmail } from '../../auth/account-emails.ts'
import { describeDevice, hashToken, newToken, type SignedInUser } from '../../auth/session.ts'
import { whereWithin } from '../../database/lifetime.ts'
import type { Database } from '../../database/tables.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import type { Cookies } from '../../http/cookies.ts'
import type { EmailSignature } from '../../mail/email.ts'
import { type Clock, days, isoAfter } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { TRUST_LIFETIME } from './store.server.ts'

/** The lifetime of the cookie; after that the browser counts as new. */
const REMEMBER_FOR = days(365)

/** A browser in which somebody has signed in before, recognised by its cookie. */
export interface KnownBrowser {
  /** The hash of that cookie. */
  readonly id: string
  /** The hash of the cookie that belongs to this user; undefined when they never signed in in this browser. */
  idFor(userId: string): string | undefined
}

export async function findKnownBrowser(
  db: Database,
  clock: Clock,
  cookies: Cookies,
): Promise<KnownBrowser | null> {
  const [browser, device] = [cookies.get('browser'), cookies.get('device')]
  const rows = [
    ...(browser ? await findUsersOf(db, clock, browser) : []),
    ...(device ? await findTrustedBy(db, clock, device) : []),
  ]
  const [first] = rows
  return first
    ? { id: first.token_hash, idFor: id => rows.find(({ user_id }) => user_id === id)?.token_hash }
    : null
}

async function findUsersOf(db: Database, clock: Clock, token: string) {
  return await db
    .selectFrom('known_browsers')
    .select(['user_id', 'token_hash'])
    .where('token_hash', '=', hashToken(token))
    .where('seen_at', '>', isoAfter(clock, -REMEMBER_FOR))
    .execute()
}

async function findTrustedBy(db: Database, clock: Clock, token: string) {
  return await db
    .selectFrom('trusted_devices')
    .select(['user_id', 'token_hash'])
    .where('token_hash', '=', hashToken(token))
    .where(whereWithin('expires_at', clock, 0, TRUST_LIFETIME))
    .execute()
}

export async function deleteUnseenBrowsers(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('known_browsers').where('seen_at', '<=', isoAfter(clock, -REMEMBER_FOR)).execute()
}

/**
 * Records that this user signs in with this browser, and sends an email when it is new. The first browser of an account
 * needs no email: its user has just read the first code. @returns the token for the cookie.
 */
export async function recordKnownBrowser(
  { clock, outbox }: Services,
  transaction: Transaction,
  call: Pick<HandlerContext<'public'>, 'address' | 'cookies' | 'header'>,
  user: SignedInUser,
  signature: EmailSignature,
): Promise<string> {
  const token = await reuseOrCreateToken(transaction, call)
  const tokenHash = hashToken(token)
  const known = await transaction
    .selectFrom('known_browsers')
    .select('token_hash')
    .where('user_id', '=', user.id)
    .execute()
  const seen = { user_id: user.id, token_hash: tokenHash, seen_at: isoAfter(clock) }
  await transaction
    .insertInto('known_browsers')
    .values(seen)
    .onConflict(conflict =>
      conflict.columns(['user_id', 'token_hash']).doUpdateSet({ seen_at: seen.seen_at }),
    )
    .execute()
  if (known.length === 0 || known.some(({ token_hash }) => token_hash === tokenHash)) return token
  const device = describeDevice(call.header('user-agent') ?? '')
  const newDevice = { device, address: call.address, at: isoAfter(clock) }
  await outbox.add(transaction, newDeviceEmail(user, newDevice, signature), null)
  return token
}

/** A browser that several people use keeps one token. A token that this server did not issue is never adopted. */
async function reuseOrCreateToken(
  transaction: Database,
  { cookies }: Pick<HandlerContext<'public'>, 'cookies'>,
): Promise<string> {
  const presented = cookies.get('browser')
  if (!presented) return newToken()
  const row = await transaction
    .selectFrom('known_browsers')
    .select('user_id')
    .where('token_hash', '=', hashToken(presented))
    .limit(1)
    .executeTakeFirst()
  return row ? presented : newToken()
}
