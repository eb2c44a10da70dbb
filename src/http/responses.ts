import type { Context } from 'hono'
import { newId } from '../database/id.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { describeError, type Log } from '../log/logger.ts'
import { HttpError } from './http-error.ts'

/** What `Allow` says of an address that takes these methods. */
export function allowHeader(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** OPTIONS is told which methods there are; any other is refused with them. */
export function methodNotAllowed(context: Context, allow: string): Response {
  const headers = { Allow: allow }
  return context.req.method === 'OPTIONS'
    ? context.body(null, 204, headers)
    : errorResponse(context, new HttpError(405, `This address takes ${allow}`, { headers }))
}

/** A refusal as JSON. */
export function errorResponse(context: Context, error: HttpError, requestId = newId(new Date())): Response {
  const headers = { ...standardHeaders({ requestId }), ...error.headers }
  return context.json(error.body(requestId), error.status, headers)
}

/**
 * Expected refusals as they are, a database out of reach as 503; anything else is a bug, logged whole and told as
 * little. The log also tells when a limit is reached, once for each window.
 */
export function toHttpError(error: unknown, log: Log, context: Context): HttpError {
  if (error instanceof HttpError) {
    const { reachedLimit: limit } = error.details
    if (limit) log('warning', 'API', 'A rate limit was reached', { limit, path: context.req.path })
    return error
  }
  const where = { method: context.req.method, path: context.req.path, ...describeError(error) }
  const isDown = isUnavailable(error)
  log(
    isDown ? 'critical' : 'error',
    'API',
    isDown ? 'The database did not answer' : 'A request failed',
    where,
  )
  return isDown
    ? new HttpError(503, 'This is not possible right now. Please try again in a moment.', { retryAfter: 5 })
    : new HttpError(500, 'Something went wrong on our side. Please try again.')
}

/** What every answer of a call has. */
export function standardHeaders({ requestId }: { requestId: string }) {
  return { 'Cache-Control': 'no-store', 'X-Request-Id': requestId }
}
