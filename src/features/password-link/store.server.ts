import { LINK_LIFETIMES } from '../../auth/lifetimes.ts'
import { whereWithin } from '../../database/lifetime.ts'
import type { Database } from '../../database/tables.ts'
import { type Clock, isoAfter } from '../../platform/clock.ts'

/** Requests that are handled at once: on SQLite, everyone else waits for them. */
const REQUESTS_AT_ONCE = 500

/** A second request before the first is handled changes nothing. @param email in its canonical form */
export async function insertRequest(db: Database, clock: Clock, email: string): Promise<void> {
  await db
    .insertInto('password_requests')
    .values({ email, requested_at: isoAfter(clock) })
    .onConflict(conflict => conflict.column('email').doNothing())
    .execute()
}

export async function hasRequests(db: Database): Promise<boolean> {
  return (await db.selectFrom('password_requests').select('email').limit(1).executeTakeFirst()) !== undefined
}

/** Deletes the oldest requests. When two nodes do this concurrently, each gets others. @returns their addresses */
export async function takeRequests(transaction: Database): Promise<string[]> {
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

export async function countResetLinks(transaction: Database, clock: Clock, userId: string): Promise<number> {
  const links = await transaction
    .selectFrom('password_links')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'reset')
    .where(whereWithin('expires_at', clock, 0, LINK_LIFETIMES.reset))
    .execute()
  return links.length
}
