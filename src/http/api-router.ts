import { Hono } from 'hono'
import { routePath } from 'hono/route'
import type * as z from 'zod/mini'
import { recordTokenUse } from '../auth/api-token.ts'
import type { StaffAccess } from '../auth/permissions.ts'
import type { Grant, PendingSignIn, Session, SignedInUser } from '../auth/session.ts'
import { newId } from '../database/id.ts'
import { replies } from '../i18n/texts.ts'
import { type AuditLog, type Log, logFrom } from '../log/logger.ts'
import { hours, minutes } from '../platform/clock.ts'
import type { Services } from '../services.ts'
import { clientAddress } from './client-address.ts'
import type { Empty } from './common-schemas.ts'
import { type Cookies, cookiesOf } from './cookies.ts'
import type { Access, Endpoint, Schema, TokenAuth } from './endpoint.ts'
import { HttpError, throwHttpError } from './http-error.ts'
import { bodyLengthOf, parseInput, readFields } from './input.ts'
import type { JsonObject } from './json.ts'
import { limitPerCaller } from './limits/caller-limit.ts'
import type { Limit, RateLimiter } from './limits/rate-limiter.ts'
import { encodeResponse, type Representation, respond } from './representation.ts'
import {
  assertBody,
  assertSameOrigin,
  authenticate,
  type Credentials,
  grantOf,
  hasBearer,
} from './request-checks.ts'
import {
  type AppContext,
  allowHeader,
  type CachedResponse,
  type Connection,
  errorResponse,
  type HonoApp,
  jsonFormat,
  methodNotAllowed,
  type ReplyFormat,
  toHttpError,
} from './responses.ts'
import { responseHeaders } from './security-headers.ts'

/** Characters. Those of browsers are shorter, and a longer one would only fill the log. */
const MAX_USER_AGENT_LENGTH = 300
/** Milliseconds for which a call relies on what it was authorised with. */
const RELIABLE = 100

/** The Hono app that serves the API, and the list of endpoints that it serves. */
export interface ApiRouter {
  readonly app: HonoApp
  readonly services: Services
  readonly served: Endpoint[]
  /** The replies that are the same for everyone, by path: the listener writes them without coming here. */
  readonly responses: Map<string, CachedResponse>
  readonly keep: Keep
}

/** Caches what `make` returns until a setting or the content changes. */
export type Keep = (key: string, make: () => Promise<Representation>) => CachedResponse

/** The second argument of a handler. Its type has the credentials that `access` guarantees. */
export type HandlerContext<Allowed extends Access, Auth extends TokenAuth = 'allowed'> = RequestContext &
  (Allowed extends StaffAccess
    ? Pick<Credentials, 'permissions'> & {
        readonly user: SignedInUser
        readonly grant: Grant
      } & (Auth extends 'denied' ? { readonly session: Session } : object)
    : Allowed extends 'pending'
      ? { readonly pending: PendingSignIn }
      : Credentials)

/** The context of a request before its credentials are read. */
export interface RequestContext {
  /** The client address, which is the key of limits per client address. */
  readonly address: string
  readonly requestId: string
  /** May be HEAD, which the handler of GET answers. */
  readonly method: string
  readonly cookies: Cookies
  /** Its entries have the id of the request and who sent it. */
  readonly log: AuditLog
  header(name: string): string | undefined
  setHeader(name: string, value: string): void
}

/**
 * Rejected changes of callers who are not signed in, for calls without such a limit of their own. In the memory of this
 * process, because a rejection must not cost a query.
 */
export const REFUSED_CHANGES = { name: 'rejected changes', count: 600, per: minutes(1) }
/** Those with a cookie or a token: made-up ones use nothing of what the people signed in there may send. */
const REFUSED_CREDENTIALS = { name: 'rejected changes with credentials', count: 600, per: minutes(1) }

interface Limits {
  /** Consumed by every request of a client address. */
  readonly perAddress?: Limit
  /** Requests that do not consume `perAddress`. Where they have another limit, it consumes that. @throws {HttpError} 429 */
  readonly isExempt?: (call: RequestContext) => Promise<boolean>
  /** Consumed by every rejected request of a client address. Once it is used up, all its requests are rejected. */
  readonly refusals?: Limit
  /**
   * Takes a place before the body is read, for calls whose bodies take much memory. @param length of the body, in bytes, or the most
   * that it can be @returns what gives it back
   */
  readonly acquireSlot?: (credentials: Credentials, length: number, call: RequestContext) => () => void
  /** Rejects before the body is read who may not send one so long, where a cookie of its own gives the right. @throws {HttpError} */
  readonly assertMayBegin?: (call: RequestContext, length: number) => Promise<void>
  /** Rejects early what the handler itself would reject because of its quota. */
  readonly quota?: (call: RequestContext) => void
}

/** @param keep by default, each reply is made again */
export function createApiRouter(
  services: Services,
  keep: Keep = (_, make) => ({ peek: () => undefined, fetch: make }),
): ApiRouter {
  const app: HonoApp = new Hono<{ Bindings: Connection }>()
  // Pages set their own headers, which list what they may load.
  const headers = responseHeaders(services.config.publicUrl)
  app.use(async (context, next) => {
    const start = performance.now()
    context.env.headers = { ...headers }
    await next()
    addHeaders(context)
    // Counted by route pattern and not by path, so that requests for made-up paths cannot fill the memory.
    services.httpMetrics.count(
      context.req.method,
      routePath(context),
      context.res.status,
      performance.now() - start,
    )
  })
  return { app, services, served: [], responses: new Map(), keep }
}

/** Adds the headers of every response, and those of the call, to a response that was made without them. Its own stay. */
function addHeaders({ env: { headers = {}, outgoing }, res }: AppContext) {
  for (const [name, value] of Object.entries(headers)) {
    // It costs a fifth of what it costs on a response, whose own headers replace it.
    if (outgoing) outgoing.setHeader(name, value)
    else if (typeof value !== 'string') for (const each of value) res.headers.append(name, each)
    else if (!res.headers.has(name)) res.headers.set(name, value)
  }
}

/** Serves one endpoint: the checks in the order of the specification, then the handler, then the reply. */
export function serve<
  Allowed extends Access,
  Input extends Schema,
  Reply extends Schema,
  Auth extends TokenAuth,
>(
  router: Pick<ApiRouter, 'app' | 'services' | 'served'>,
  contract: Endpoint<Allowed, Input, Reply, Auth>,
  work: (input: z.output<Input>, call: HandlerContext<Allowed, Auth>) => Promise<z.input<Reply>>,
  limits: Limits = {},
  format: ReplyFormat<Reply> = jsonFormat(contract),
): void {
  router.served.push(contract)
  router.app.on(contract.method, contract.path, async context => {
    const { services } = router
    const call = requestContext(services, context)
    let fields: JsonObject | null = null
    let caller: SignedInUser | undefined

    /** While a call waits or its body arrives, its client may go, and its session, token or permission may end. */
    async function authorizeAgain(authorized: Credentials, since: number) {
      if (context.env.outgoing?.destroyed) throwHttpError(503, replies.unavailable)
      if (performance.now() - since < RELIABLE) return authorized
      return await authenticate(services, context, call.cookies, contract, 'counted')
    }

    async function answer(authorized: Credentials, since: number) {
      const leavePlace = limits.acquireSlot?.(authorized, bodyLengthOf(context, contract), call)
      try {
        fields = await readFields(context, contract)
        // What anyone may call needs none, and costs little more than a page.
        const credentials =
          contract.access === 'public' ? authorized : await authorizeAgain(authorized, since)
        const input = parseInput(context, contract, fields)
        // `authorize` has rejected requests without the credentials that this access guarantees; the compiler cannot see that.
        // The token shows which program acted for the user.
        const tokenId = credentials.token?.id
        const log = caller ? logFrom(call.log, { userId: caller.id, ...(tokenId && { tokenId }) }) : call.log
        const grant = grantOf(services, contract.access, credentials)
        const handlerContext = { ...call, ...credentials, grant, log } as unknown as HandlerContext<
          Allowed,
          Auth
        >
        const reply = await work(input, handlerContext)
        if (credentials.token) recordTokenUse(services, credentials.token, log)
        return reply
      } finally {
        leavePlace?.()
      }
    }

    try {
      const authorized = await authorize(services, context, contract, call, limits)
      const since = performance.now()
      caller = authorized.user ?? authorized.pending?.user
      // A stream of events does not end, and anyone may call what is public.
      const reply =
        contract.event || contract.access === 'public'
          ? await answer(authorized, since)
          : await limitPerCaller(authorized, () => answer(authorized, since))
      return await format.reply(context, reply, call)
    } catch (error) {
      const httpError = toHttpError(error, call.log, context)
      // People who are signed in learn that their security token is out of date, whatever their neighbours have sent.
      const isKnown = caller !== undefined || httpError.details.targetUserId !== undefined
      await logDeniedRequest(services, httpError, context, call)
      // A page costs more than JSON, so each counts.
      const isCounted = contract.body === 'form' || contract.body === 'multipart' || httpError.status < 429
      const limiter = limits.refusals ? services.rateLimiter : services.localRateLimiter
      const limit = limits.refusals ?? refusalsOf(context, contract, isKnown)
      const overrun = isCounted && limit ? await consumeRefusal(limiter, limit, call) : null
      if (overrun) return await format.error(context, toHttpError(overrun, call.log, context), call, fields)
      return await format.error(context, httpError, call, fields)
    }
  })
}

/** Serves an endpoint whose reply is the same for everyone: it is made once, and a request costs as little as a page. */
export function serveShared<Reply extends Schema>(
  router: ApiRouter,
  contract: Endpoint<'public', typeof Empty, Reply>,
  read: () => Promise<z.input<Reply>>,
): void {
  const { app, services, keep } = router
  const response = keep(contract.path, async () => {
    const reply: object = contract.reply.parse(await read())
    return await encodeResponse(JSON.stringify(contract.isDocument ? reply : { success: true, ...reply }), {
      ...responseHeaders(services.config.publicUrl),
      'Content-Type': 'application/json',
      'Cache-Control': `public, max-age=${contract.maxAge ?? 0}`,
    })
  })
  router.served.push(contract)
  router.responses.set(contract.path, response)
  app.get(contract.path, async context => {
    const call = requestContext(services, context)
    try {
      // A program learns that its token is not valid from any call.
      const { token } = hasBearer(context)
        ? await authenticate(services, context, call.cookies, contract)
        : {}
      if (token) recordTokenUse(services, token, call.log)
      return respond(context.req.raw, await response.fetch(''))
    } catch (error) {
      return errorResponse(context, toHttpError(error, call.log, context), call.requestId)
    }
  })
}

/** Call it after all `serve` calls: other methods of a served path get 405 with `Allow`, other paths below /api 404. */
export function addFallbacks({ app, served }: ApiRouter): void {
  for (const path of new Set(served.map(contract => contract.path))) {
    const methods = served.filter(contract => contract.path === path).map(contract => contract.method)
    const allow = allowHeader(methods)
    app.all(path, context => methodNotAllowed(context, allow))
  }
  app.all('/api/*', context => errorResponse(context, new HttpError(404, 'There is no such call')))
}

/** Which limit a rejected call consumes that has none of its own. Reading costs little. */
function refusalsOf(context: AppContext, { method }: Endpoint, isKnown: boolean) {
  if (method === 'GET' || isKnown) return undefined
  const hasCredentials = context.req.header('cookie') !== undefined || hasBearer(context)
  return hasCredentials ? REFUSED_CREDENTIALS : REFUSED_CHANGES
}

export function requestContext({ clock, config, log }: Services, context: AppContext): RequestContext {
  const address = clientAddress(context.env.peer, context.req.header('x-forwarded-for'), config.trustProxy)
  const requestId = newId(clock())
  const userAgent = (context.req.header('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH)
  return {
    address,
    requestId,
    method: context.req.method,
    log: logFrom(log, { requestId, ipAddress: address, userAgent }),
    cookies: cookiesOf(context, config.publicUrl),
    header: name => context.req.header(name),
    setHeader(name, value) {
      context.env.headers = { ...context.env.headers, [name]: value }
    },
  }
}

async function authorize(
  services: Services,
  context: AppContext,
  contract: Endpoint,
  call: RequestContext,
  limits: Limits,
) {
  const hasCookies = context.req.header('cookie') !== undefined
  // The body of a GET is never read.
  if (contract.method !== 'GET') assertBody(context, contract)
  if (limits.refusals) services.rateLimiter.check(limits.refusals, call.address)
  // An office shares an address: a client that may be signed in is not rejected for what others there have sent.
  else if (contract.method !== 'GET' && !hasCookies && !hasBearer(context))
    services.localRateLimiter.check(REFUSED_CHANGES, call.address)
  if (limits.perAddress && !(await limits.isExempt?.(call))) {
    services.rateLimiter.check(limits.perAddress, call.address)
    await services.rateLimiter.consume(limits.perAddress, call.address)
  }
  limits.quota?.(call)
  // A client with an API token may run anywhere, and no browser adds one by itself.
  if (!hasBearer(context))
    assertSameOrigin(context, services.config.publicUrl, hasCookies && contract.csrf !== 'origin')
  await limits.assertMayBegin?.(call, bodyLengthOf(context, contract))
  return await authenticate(services, context, call.cookies, contract)
}

/** Counts one rejected request. @returns the 429 to send instead when the limit is used up, perhaps by another node; null otherwise. */
async function consumeRefusal(rateLimiter: RateLimiter, limit: Limit, { address }: RequestContext) {
  try {
    // Once the limit is used up, further counting would only load the database.
    rateLimiter.check(limit, address)
    await rateLimiter.consume(limit, address)
  } catch (error) {
    // An unavailable database must not replace the original error.
    if (error instanceof HttpError) return error
  }
  return null
}

/** Enough entries to see an attack, too few to bury others. */
const LOGGED_PER_ADDRESS = { name: 'denied requests logged', count: 20, per: hours(1) }

/**
 * Logs a request that was denied: from another site, with a forged CSRF token, with an invalid API token, or without
 * the required role. A request that is merely not signed in is not logged.
 */
async function logDeniedRequest(
  { rateLimiter }: Services,
  { status, message, headers, details: { code, targetUserId } }: HttpError,
  { req }: AppContext,
  { address, log }: { address: string; log: Log },
): Promise<void> {
  const isAttempt = status === 403 || headers['WWW-Authenticate'] !== undefined
  // An unavailable database must not replace the original error.
  if (!isAttempt || !(await rateLimiter.tryConsume(LOGGED_PER_ADDRESS, address).catch(() => false))) return
  const what = { method: req.method, path: req.path, status, reason: code ?? message }
  log('warning', 'API', 'Request denied', { ...what, ...(targetUserId && { userId: targetUserId }) })
}
