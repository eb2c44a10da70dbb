import type { ServerResponse } from 'node:http'
import type { Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { newId } from '../database/id.ts'
import { isUnavailable } from '../database/transaction.ts'
import { replies } from '../i18n/texts.ts'
import { describeError, type Log } from '../log/logger.ts'
import type { Access, Endpoint, Schema } from './endpoint.ts'
import { HttpError } from './http-error.ts'
import type { JsonObject } from './json.ts'
import type { Representation } from './representation.ts'

export interface Connection {
  /** The IP address of the other end of the socket. */
  readonly peer: string
  /** Without a socket there is none. */
  readonly outgoing?: ServerResponse
  /** What is still to be added to the headers that the response has of its own. */
  headers?: Readonly<Record<string, string | readonly string[]>>
}

export type HonoApp = Hono<{ Bindings: Connection }>
export type AppContext = Context<{ Bindings: Connection }>

/** The value of `Allow` for a path with these methods. */
export function allowHeader(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** Answers OPTIONS with the allowed methods, and any other method with 405 and the same. */
export function methodNotAllowed(context: AppContext, allow: string): Response {
  const headers = { Allow: allow }
  return context.req.method === 'OPTIONS'
    ? context.body(null, 204, headers)
    : errorResponse(context, new HttpError(405, `This address takes ${allow}`, { headers }))
}

export function errorResponse(
  context: AppContext,
  error: HttpError,
  requestId = newId(new Date()),
): Response {
  const headers = { ...standardHeaders({ requestId }), ...error.headers }
  return json(context, error.body(requestId), error.status, headers)
}

/** Hono's own would copy plain headers to a `Headers`, which takes longer than writing the reply. */
function json(
  { env, req }: AppContext,
  body: object,
  status: number,
  own: Readonly<Record<string, string>>,
): Response {
  const headers = { 'Content-Type': 'application/json', ...own }
  // Node writes plain headers as they are, a list of cookies too. A HEAD gets a copy, which cannot have such a list.
  if (env.outgoing && req.method !== 'HEAD') {
    Object.assign(headers, env.headers, own)
    env.headers = {}
  }
  return new Response(JSON.stringify(body), { status, headers })
}

/**
 * Returns an expected error as it is, and an unavailable database as 503. Anything else is a bug: logged with its stack,
 * and sent as 500 without details. Also logs when a rate limit is reached, once for each window.
 */
export function toHttpError(error: unknown, log: Log, context: AppContext): HttpError {
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

interface Call {
  readonly requestId: string
}

/** Formats replies and errors: as JSON, or as a page for a browser that posts a form. */
export interface ReplyFormat<Reply extends Schema = Schema> {
  reply(context: AppContext, reply: z.input<Reply>, call: Call): Response | Promise<Response>
  /** @param fields what was sent; null when the body was not read, or when the reply must cost little */
  error(
    context: AppContext,
    error: HttpError,
    call: Call,
    fields: JsonObject | null,
  ): Response | Promise<Response>
}

export function jsonFormat<Reply extends Schema>(
  contract: Endpoint<Access, Schema, Reply>,
): ReplyFormat<Reply> {
  return {
    async reply(context, reply, call) {
      const headers = standardHeaders(call)
      const body: unknown = reply
      if (body instanceof ReadableStream) {
        const { mediaType = '' } = contract
        const type = mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
        return context.body(body, 200, { ...headers, 'Content-Type': type })
      }
      const fields = contract.reply.parse(reply)
      const status = contract.isAccepted?.(fields) ? 202 : (contract.status ?? 200)
      return json(context, { success: true, ...fields }, status, headers)
    },
    error: (context, error, call) => errorResponse(context, error, call.requestId),
  }
}

/** The response to GET at one path, created on the first request. */
export interface CachedResponse {
  /** Returns what is cached, without waiting. @param query without the question mark */
  peek(query: string): Representation | undefined
  /** Returns the same, and creates it when it is not cached. */
  fetch(query: string): Promise<Representation>
}

/** Cached responses to GET by path, fixed when the app starts: pages, shells and files. */
export type ResponseMap = ReadonlyMap<string, CachedResponse>

/** The current response at each path. Both Hono's route and the listener in front of it use it. */
export type Responses = Pick<ResponseMap, 'get'>

/** Creates a response once, whatever the query. After a failure, the next request tries again. */
export function lazyResponse(create: () => Promise<Representation>): CachedResponse {
  let created: Representation | undefined
  let pending: Promise<Representation> | undefined
  async function start() {
    try {
      created = await create()
      return created
    } finally {
      pending = undefined
    }
  }
  return {
    peek: () => created,
    async fetch() {
      if (created) return created
      pending ??= start()
      return await pending
    },
  }
}
