import { hours } from '../../clock.ts'
import { type ApiRouter, type RequestContext, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { emailVerification, INVALID_TOKEN, VERIFIED } from './contract.ts'
import { findVerification, markEmailVerified } from './store.server.ts'

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
        await markEmailVerified(db, found.userId)
        call.log('info', 'Auth', 'Email address verified', { targetUserId: found.userId })
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
