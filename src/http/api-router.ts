import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { routePath } from 'hono/route'
import type * as z from 'zod/mini'
import { recordTokenUse } from '../auth/api-token.ts'
import type { PendingSignIn, Session, SignedInUser } from '../auth/session.ts'
import { newId } from '../database/id.ts'
import { type AuditLog, logFrom } from '../log/logger.ts'
import type { Services } from '../services.ts'
import { clientAddress } from './client-address.ts'
import { type Cookies, cookiesOf } from './cookies.ts'
import { answerDocument } from './document-response.ts'
import type { Access, Endpoint, Schema, TokenAuth } from './endpoint.ts'
import { HttpError } from './http-error.ts'
import { readInput } from './input.ts'
import type { Limit } from './limit.ts'
import { logDeniedRequest } from './log-denied-request.ts'
import { assertBody, assertSameOrigin, authenticate, type Credentials, hasBearer } from './request-checks.ts'
import { allowHeader, errorResponse, methodNotAllowed, standardHeaders, toHttpError } from './responses.ts'
import { answerHeaders } from './security-headers.ts'

/** Characters; browsers' own are shorter, and a longer one would only fill the log. */
const MAX_USER_AGENT_LENGTH = 300

/** What the listening server knows of a connection. */
export interface Connection {
  /** The address at the other end of the socket. */
  readonly peer: string
}

export type HonoApp = Hono<{ Bindings: Connection }>
export type AppContext = Context<{ Bindings: Connection }>

/** Where calls are served, and the list of those that are. */
export interface ApiRouter {
  readonly app: HonoApp
  readonly services: Services
  readonly served: Endpoint[]
}

/** The call in hand, beside its input. What `access` promises is there without a further look. */
export type HandlerContext<Allowed extends Access, Auth extends TokenAuth = 'allowed'> = RequestContext &
  (Allowed extends 'signed-in' | 'admin'
    ? { readonly user: SignedInUser } & (Auth extends 'denied' ? { readonly session: Session } : object)
    : Allowed extends 'pending'
      ? { readonly pending: PendingSignIn }
      : Credentials)

/** What is known of a call before its credentials are read. */
export interface RequestContext {
  /** What limits per client address count against. */
  readonly address: string
  readonly requestId: string
  /** A HEAD is answered by the work of its GET. */
  readonly method: string
  readonly cookies: Cookies
  /** Its lines say which request they come from, and who sent it. */
  readonly log: AuditLog
  header(name: string): string | undefined
  /** Adds a header to the reply. */
  setHeader(name: string, value: string): void
}

interface Limits {
  /** Taken by every request of a client address. */
  readonly perAddress?: Limit
  /** Whose requests `perAddress` is not for: the work has a limit of its own for them. */
  readonly isExempt?: (call: RequestContext) => Promise<boolean>
  /** Taken by every refused request of a client address; once used up, all are refused. */
  readonly refusals?: Limit
  /** Refuses early what the work itself would refuse for its quota. */
  readonly quota?: (call: RequestContext) => void
}

export function createApiRouter(services: Services): ApiRouter {
  const app: HonoApp = new Hono<{ Bindings: Connection }>()
  // A page comes with its own, which say what it may load.
  const headers = Object.entries(answerHeaders(services.config.publicUrl))
  app.use(async (context, next) => {
    const start = performance.now()
    await next()
    for (const [name, value] of headers) if (!context.res.headers.has(name)) context.header(name, value)
    // The route that answered, so that what somebody asks for by hand cannot fill the memory with names.
    services.httpMetrics.count(
      context.req.method,
      routePath(context),
      context.res.status,
      performance.now() - start,
    )
  })
  return { app, services, served: [] }
}

/** Serves one contract: every refusal in the order of the specification, then the work, then the reply. */
export function serve<
  Allowed extends Access,
  Input extends Schema,
  Reply extends Schema,
  Auth extends TokenAuth,
>(
  router: ApiRouter,
  contract: Endpoint<Allowed, Input, Reply, Auth>,
  work: (input: z.output<Input>, call: HandlerContext<Allowed, Auth>) => Promise<z.input<Reply>>,
  limits: Limits = {},
): void {
  router.served.push(contract)
  if (contract.maxAge !== undefined) router.app.use(contract.path, etag())
  router.app.on(contract.method, contract.path, async context => {
    const call = requestContext(router.services, context)
    try {
      const credentials = await authorize(router.services, context, contract, call, limits)
      const input = await readInput(context, contract)
      // `admit` has refused whoever lacks what this access promises, which the compiler cannot see.
      const caller = credentials.user ?? credentials.pending?.user
      const log = caller ? logFrom(call.log, { userId: caller.id }) : call.log
      const reply = await work(input, { ...call, ...credentials, log } as unknown as HandlerContext<
        Allowed,
        Auth
      >)
      if (credentials.token) recordTokenUse(router.services, credentials.token, log)
      const headers = { ...standardHeaders(call), ...cacheHeaders(contract) }
      if (contract.isDocument) return await answerDocument(context, contract, reply, headers)
      const told = contract.reply.parse(reply)
      return context.json({ success: true, ...told }, contract.status ?? 200, headers)
    } catch (error) {
      const problem = toHttpError(error, call.log, context)
      await logDeniedRequest(router.services, problem, context, call)
      const overrun = problem.status < 429 && (await consumeRefusal(router.services, limits.refusals, call))
      return errorResponse(
        context,
        overrun ? toHttpError(overrun, call.log, context) : problem,
        call.requestId,
      )
    }
  })
}

/** Ends the list: other methods of a served path answer 405 with `Allow`, other paths below /api 404. */
export function addFallbacks({ app, served }: ApiRouter): void {
  for (const path of new Set(served.map(contract => contract.path))) {
    const methods = served.filter(contract => contract.path === path).map(contract => contract.method)
    const allow = allowHeader(methods)
    app.all(path, context => methodNotAllowed(context, allow))
  }
  app.all('/api/*', context => errorResponse(context, new HttpError(404, 'There is no such call')))
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
    setHeader: (name, value) => context.header(name, value),
  }
}

async function authorize(
  services: Services,
  context: Context,
  contract: Endpoint,
  call: RequestContext,
  limits: Limits,
) {
  // Nobody reads the body of a GET.
  if (contract.method !== 'GET') assertBody(context, 'application/json')
  if (limits.refusals) services.rateLimiter.check(limits.refusals, call.address)
  if (limits.perAddress && !(await limits.isExempt?.(call))) {
    services.rateLimiter.check(limits.perAddress, call.address)
    await services.rateLimiter.consume(limits.perAddress, call.address)
  }
  limits.quota?.(call)
  const hasCookies = context.req.header('cookie') !== undefined
  // A program that shows a token may be anywhere; no browser adds one by itself.
  if (!hasBearer(context))
    assertSameOrigin(context, services.config.publicUrl, hasCookies && contract.csrf !== 'origin')
  return await authenticate(services, context, call.cookies, contract)
}

/** Counts one refusal. @returns the refusal that takes the place of the one in hand when its quota is used up, perhaps on another node. */
export async function consumeRefusal(
  { rateLimiter }: Services,
  limit: Limit | undefined,
  { address }: RequestContext,
): Promise<HttpError | null> {
  try {
    if (!limit) return null
    // Once it is used up, counting on would only cost the database.
    rateLimiter.check(limit, address)
    await rateLimiter.consume(limit, address)
  } catch (error) {
    // A database that is down has nothing to do with what was asked.
    if (error instanceof HttpError) return error
  }
  return null
}

function cacheHeaders({ maxAge }: Endpoint): Record<string, string> {
  return maxAge === undefined ? {} : { 'Cache-Control': `public, max-age=${maxAge}` }
}
