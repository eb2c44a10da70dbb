import { hours } from '../../clock.ts'
import { type ApiRouter, type RequestContext, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { emailVerification, INVALID_TOKEN, VERIFIED } from './contract.ts'
import { findVerification, markEmailVerified } from './store.server.ts'

const VERIFICATIONS_PER_ADDRESS = { name: 'verifications', count: 20, per: hours(1) }

/**
 * The link in a letter. Programs that look through mail open links before people do, so it may be opened again and
 * again within its day, and signs nobody in.
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
        call.log('info', 'Auth', 'An email address was verified', { ofUser: found.userId })
      }
      return { message: VERIFIED }
    },
    { perAddress: VERIFICATIONS_PER_ADDRESS },
  )
}

/** Not only looked at by a program, or fetched by a browser that guesses where its person goes next. */
function isOpened({ method, header }: RequestContext): boolean {
  return method === 'GET' && !/prefetch|prerender/i.test(header('sec-purpose') ?? header('purpose') ?? '')
}
