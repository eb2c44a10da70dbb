import { isUnverified } from '../../bot-check/verification.ts'
import { hours } from '../../clock.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import type { Services } from '../../services.ts'
import type { LinkRequest } from './contract.ts'
import { insertRequest } from './store.server.ts'

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
