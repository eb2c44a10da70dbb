import type { Context } from 'hono'
import { newId } from '../database/id.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { describeError, type Log } from '../log.ts'
import { Problem } from './problem.ts'

/** What `Allow` says of an address that takes these methods. */
export function allowing(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** OPTIONS is told which methods there are; any other is refused with them. */
export function answerOtherMethod(context: Context, allow: string): Response {
  const headers = { Allow: allow }
  return context.req.method === 'OPTIONS'
    ? context.body(null, 204, headers)
    : answerProblem(context, new Problem(405, `This address takes ${allow}`, { headers }))
}

/** A refusal as JSON. */
export function answerProblem(context: Context, problem: Problem, requestId = newId(new Date())): Response {
  const headers = { ...standardHeaders({ requestId }), ...problem.headers }
  return context.json(problem.body(requestId), problem.status, headers)
}

/**
 * Expected refusals as they are, a database out of reach as 503; anything else is a bug, logged whole and told as
 * little. The log also tells when a limit is reached, once for each window.
 */
export function toProblem(error: unknown, log: Log, context: Context): Problem {
  if (error instanceof Problem) {
    const { reachedLimit: limit } = error.particulars
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
    ? new Problem(503, 'This is not possible right now. Please try again in a moment.', { retryAfter: 5 })
    : new Problem(500, 'Something went wrong on our side. Please try again.')
}

/** What every answer of a call has. */
export function standardHeaders({ requestId }: { requestId: string }) {
  return { 'Cache-Control': 'no-store', 'X-Request-Id': requestId }
}
