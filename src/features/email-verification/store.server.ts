import { LINK_LIFETIME } from '../../auth/account-emails.ts'
import { hashToken } from '../../auth/token.ts'
import { type Clock, isoAfter } from '../../clock.ts'
import { whereWithin } from '../../database/lifetime.ts'
import type { Database } from '../../database/tables.ts'

/** @returns the user whose address the link verifies; undefined when the link is unknown or expired, or the address has changed. */
export async function findVerification(
  db: Database,
  clock: Clock,
  token: string,
): Promise<{ userId: string; isVerified: boolean } | undefined> {
  const row = await db
    .selectFrom('email_verifications as link')
    .innerJoin('users', join =>
      join.onRef('users.id', '=', 'link.user_id').onRef('users.email', '=', 'link.email'),
    )
    .select(['users.id', 'users.email_verified'])
    .where('link.token_hash', '=', hashToken(token))
    .where(whereWithin('link.expires_at', clock, 0, LINK_LIFETIME))
    .executeTakeFirst()
  return row && { userId: row.id, isVerified: row.email_verified === 1 }
}

export async function markEmailVerified(db: Database, userId: string): Promise<void> {
  await db.updateTable('users').set({ email_verified: 1 }).where('id', '=', userId).execute()
}

export async function deleteExpiredLinks(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('email_verifications').where('expires_at', '<=', isoAfter(clock)).execute()
}
