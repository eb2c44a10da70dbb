import { hashToken } from '../../auth/token.ts'
import { type Clock, days, isoAfter } from '../../clock.ts'
import { whereWithin } from '../../database/lifetime.ts'
import type { Database } from '../../database/tables.ts'
import type { Cookies } from '../../http/cookies.ts'
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

/** @returns null for an unknown browser */
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
