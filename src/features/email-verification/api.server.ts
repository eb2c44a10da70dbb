import { LINK_LIFETIME } from '../../auth/account-emails.ts'
import { markVerified } from '../../auth/change-account.ts'
import { hashToken } from '../../auth/session.ts'
import { whereWithin } from '../../database/lifetime.ts'
import type { Database } from '../../database/tables.ts'
import { type ApiRouter, type RequestContext, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { type Clock, hours, isoAfter } from '../../platform/clock.ts'
import { emailVerification, INVALID_TOKEN, VERIFIED } from './contract.ts'

const VERIFICATIONS_PER_ADDRESS = { name: 'verifications', count: 20, per: hours(1) }

/**
 * Serves the verification link of an email. Mail scanners open links before people do, so the link works any number of
 * times within its day, and signs nobody in.
 */
export function serveEmailVerification(router: ApiRouter): void {
  const { db, clock } = router.services

  serve(
    router,
    emailVerification.verify,
    async ({ token }, call) => {
      const found = (await findVerification(db, clock, token)) ?? throwHttpError(400, INVALID_TOKEN)
      if (!found.isVerified && isOpened(call)) {
        await markVerified(db, found)
        call.log('info', 'Auth', 'Email address verified', { targetUserId: found.id })
      }
      return { message: VERIFIED }
    },
    { perAddress: VERIFICATIONS_PER_ADDRESS },
  )
}

/** Whether a person opened the link: not a HEAD request of a program, nor a prefetch of a browser. */
function isOpened({ method, header }: RequestContext): boolean {
  return method === 'GET' && !/prefetch|prerender/i.test(header('sec-purpose') ?? header('purpose') ?? '')
}

/** @returns the user whose address the link verifies; undefined when the link is unknown or expired, or the address has changed. */
async function findVerification(db: Database, clock: Clock, token: string) {
  const row = await db
    .selectFrom('email_verifications as link')
    .innerJoin('users', join =>
      join.onRef('users.id', '=', 'link.user_id').onRef('users.email', '=', 'link.email'),
    )
    .select(['users.id', 'users.email', 'users.email_verified'])
    .where('link.token_hash', '=', hashToken(token))
    .where(whereWithin('link.expires_at', clock, 0, LINK_LIFETIME))
    .executeTakeFirst()
  return row && { ...row, isVerified: row.email_verified === 1 }
}

export async function deleteExpiredLinks(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('email_verifications').where('expires_at', '<=', isoAfter(clock)).execute()
}
