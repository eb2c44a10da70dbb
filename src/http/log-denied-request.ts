import type { Context } from 'hono'
import { hours } from '../clock.ts'
import type { Log } from '../log/logger.ts'
import type { Services } from '../services.ts'
import type { HttpError } from './http-error.ts'

/** Enough entries to see an attack, too few to bury others. */
const LOGGED_PER_ADDRESS = { name: 'denied requests logged', count: 20, per: hours(1) }

/**
 * Logs a request that was denied: from another site, with a forged CSRF token, with an invalid API token, or without
 * the required role. A request that is merely not signed in is not logged.
 */
export async function logDeniedRequest(
  { rateLimiter }: Services,
  { status, message, headers, details: { code, targetUserId } }: HttpError,
  { req }: Context,
  { address, log }: { address: string; log: Log },
): Promise<void> {
  const isAttempt = status === 403 || headers['WWW-Authenticate'] !== undefined
  // An unavailable database must not replace the original error.
  if (!isAttempt || !(await rateLimiter.tryConsume(LOGGED_PER_ADDRESS, address).catch(() => false))) return
  const what = { method: req.method, path: req.path, status, reason: code ?? message }
  log('warning', 'API', 'Request denied', { ...what, ...(targetUserId && { userId: targetUserId }) })
}
