import { isWithin } from '../database/lifetime.ts'
import type { Database, Tables, UserRow } from '../database/tables.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import { setPasswordPath } from '../screens.ts'
import { LINK_LIFETIMES } from './lifetimes.ts'
import { hashToken, newToken } from './session.ts'

export type LinkPurpose = Tables['password_links']['purpose']

type LinkedUser = Pick<UserRow, 'id' | 'email' | 'password_hash'>

/**
 * Creates a link with which the user sets a password, bound to their present address and password. Call it in a
 * transaction that has locked the user.
 * @returns its URL. The token is in the fragment, which no browser sends: so it is in no log and no Referer.
 */
export async function createPasswordLink(
  transaction: Database,
  { clock, config }: { readonly clock: Clock; readonly config: { readonly publicUrl: string } },
  user: LinkedUser,
  purpose: LinkPurpose,
): Promise<string> {
  const token = newToken()
  await transaction
    .insertInto('password_links')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      purpose,
      email: user.email,
      password_fingerprint: fingerprint(user),
      expires_at: isoAfter(clock, LINK_LIFETIMES[purpose]),
    })
    .execute()
  return `${config.publicUrl}${setPasswordPath}#token=${token}`
}

/** @returns null when the link is unknown, used or expired, or when the address or the password has changed since. */
export async function findPasswordLink(db: Database, clock: Clock, token: string) {
  const link = await db
    .selectFrom('password_links')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
  if (!link || !isWithin(link.expires_at, clock, 0, LINK_LIFETIMES[link.purpose])) return null
  const user = await db.selectFrom('users').selectAll().where('id', '=', link.user_id).executeTakeFirst()
  if (!user || user.email !== link.email || fingerprint(user) !== link.password_fingerprint) return null
  return { purpose: link.purpose, user }
}

/** A hash of the hash, so that the stored password hash exists once only. */
function fingerprint({ password_hash }: LinkedUser): string {
  return hashToken(password_hash)
}

export async function deleteExpiredPasswordLinks(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('password_links').where('expires_at', '<=', isoAfter(clock)).execute()
}
