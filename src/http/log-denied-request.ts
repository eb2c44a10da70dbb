import type { Context } from 'hono'
import { hours } from '../clock.ts'
import type { Log } from '../log/logger.ts'
import type { Services } from '../services.ts'
import type { HttpError } from './http-error.ts'

/** Enough to see what somebody is trying; too few to bury other lines. */
const LOGGED_PER_ADDRESS = { name: 'refusals told', count: 20, per: hours(1) }

/**
 * Tells the log that somebody tried what they may not: from another site, with a forged security token, with a token
 * that is none, with a role that is not theirs. Whoever is merely not signed in is not told of.
 */
export async function logDeniedRequest(
  { rateLimiter }: Services,
  { status, message, headers, details: { code, targetUserId } }: HttpError,
  { req }: Context,
  { address, log }: { address: string; log: Log },
): Promise<void> {
  const isAttempt = status === 403 || headers['WWW-Authenticate'] !== undefined
  // A database that is down has nothing to do with what was asked.
  if (!isAttempt || !(await rateLimiter.tryConsume(LOGGED_PER_ADDRESS, address).catch(() => false))) return
  const what = { method: req.method, path: req.path, status, reason: code ?? message }
  log('warning', 'API', 'A call was refused', { ...what, ...(targetUserId && { userId: targetUserId }) })
}
