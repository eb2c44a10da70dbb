import type { Context } from 'hono'
import { newId } from '../database/id.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { replies } from '../i18n/texts.ts'
import { describeError, type Log } from '../log/logger.ts'
import { HttpError } from './http-error.ts'

/** The value of `Allow` for a path with these methods. */
export function allowHeader(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** Answers OPTIONS with the allowed methods, and any other method with 405 and the same. */
export function methodNotAllowed(context: Context, allow: string): Response {
  const headers = { Allow: allow }
  return context.req.method === 'OPTIONS'
    ? context.body(null, 204, headers)
    : errorResponse(context, new HttpError(405, `This address takes ${allow}`, { headers }))
}

/** Sends an error as JSON. */
export function errorResponse(context: Context, error: HttpError, requestId = newId(new Date())): Response {
  const headers = { ...standardHeaders({ requestId }), ...error.headers }
  return context.json(error.body(requestId), error.status, headers)
}

/**
 * Returns an expected error as it is, and an unavailable database as 503. Anything else is a bug: logged with its stack,
 * and sent as 500 without details. Also logs when a rate limit is reached, once for each window.
 */
export function toHttpError(error: unknown, log: Log, context: Context): HttpError {
  if (error instanceof HttpError) {
    const { reachedLimit: limit } = error.details
    if (limit) log('warning', 'API', 'Rate limit reached', { limit, path: context.req.path })
    return error
  }
  const where = { method: context.req.method, path: context.req.path, ...describeError(error) }
  const isDown = isUnavailable(error)
  log(isDown ? 'critical' : 'error', 'API', isDown ? 'Database unavailable' : 'Request failed', where)
  return isDown
    ? new HttpError(503, replies.unavailable, { retryAfter: 5 })
    : new HttpError(500, replies.failed)
}

/** Headers of every API response. */
export function standardHeaders({ requestId }: { requestId: string }) {
  return { 'Cache-Control': 'no-store', 'X-Request-Id': requestId }
}
