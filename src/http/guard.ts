import type { Context } from 'hono'
import { minutes } from '../clock.ts'
import type { Services } from '../services.ts'
import { type ApiToken, findApiToken, isApiToken } from './api-token.ts'
import type { Cookies } from './cookies.ts'
import { type Access, CALLS_PER_MINUTE, type Endpoint } from './endpoint.ts'
import { refuse } from './problem.ts'
import {
  findPendingSignIn,
  findSession,
  type PendingSignIn,
  type Session,
  type SignedInUser,
} from './session.ts'
import { isCsrfToken, newToken } from './token.ts'

/** Larger than any form of the product. */
export const LARGEST_BODY = 64 * 1024

/** Who a request comes from, as far as its token or its cookies show. */
export interface Credentials {
  /** Who is signed in, or for whom the token speaks. */
  readonly user: SignedInUser | null
  readonly session: Session | null
  readonly pending: PendingSignIn | null
  readonly token: ApiToken | null
}

/** A program in a loop must not take the office's database for itself. */
const CALLS_PER_TOKEN = { name: 'calls with a token', count: CALLS_PER_MINUTE, per: minutes(1) }

const isSafe = (method: string) => method === 'GET' || method === 'HEAD'

/** Refuses a body that is too large, compressed or not `type`. Without a body any type will do. */
export function refuseBody(context: Context, type: 'application/json' | 'application/x-www-form-urlencoded') {
  const length = Number(context.req.header('content-length') ?? 0)
  if (length > LARGEST_BODY) refuseTooLarge()
  if (length === 0 && context.req.header('transfer-encoding') === undefined) return
  const given = (context.req.header('content-type') ?? '').toLowerCase().replaceAll(' ', '')
  const isAccepted = given === type || given === `${type};charset=utf-8`
  if (isAccepted && !context.req.header('content-encoding')) return
  refuse(415, `The request body must be ${type} in UTF-8, uncompressed`)
}

export function refuseTooLarge(): never {
  refuse(413, 'The request is too large')
}

/**
 * Refuses a change that another site asks for. Browsers say where a request comes from; a program without cookies
 * says nothing and has nothing to steal.
 */
export function refuseForeignOrigin(context: Context, publicUrl: string, hasCookies: boolean) {
  if (isSafe(context.req.method)) return
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  const isOurs = site
    ? site === 'same-origin' || site === 'none'
    : origin
      ? origin === publicUrl
      : !hasCookies
  if (isOurs) return
  refuse(
    403,
    `This request did not come from ${publicUrl}. If that is the wrong address, correct PUBLIC_URL.`,
  )
}

/** Whether a request shows a token, good or bad. Its cookies are then no part of it. */
export function hasBearer(context: Context): boolean {
  return context.req.header('authorization') !== undefined
}

/** Reads who is calling, and refuses who may not. */
export async function identify(
  services: Services,
  context: Context,
  cookies: Cookies,
  contract: Endpoint,
): Promise<Credentials> {
  const credentials = hasBearer(context)
    ? await readToken(services, context.req.header('authorization') ?? '')
    : await readCookies(services, cookies)
  if (credentials.token) refuseWithoutSession(contract)
  if (!isLetIn(contract.access, credentials)) refuse(401, 'Please sign in to continue')
  if (!credentials.token && !isSafe(contract.method) && contract.csrf !== 'origin')
    refuseForgery(services, context, cookies, credentials)
  if (contract.access === 'admin' && credentials.user?.role !== 'admin') {
    refuse(403, "You don't have permission to do this")
  }
  return credentials
}

/** The user of the token in an `Authorization` header. Whatever is wrong with it, cookies do not help. */
async function readToken({ db, clock, limits }: Services, header: string): Promise<Credentials> {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(header) ?? []
  const token = isApiToken(given) ? await findApiToken(db, clock, given) : null
  if (!token) {
    const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }
    return refuse(401, 'The token is not valid. It may have expired or been revoked.', { headers })
  }
  await limits.spend(CALLS_PER_TOKEN, token.id)
  return { user: token.user, session: null, pending: null, token }
}

function refuseWithoutSession({ access, bearer }: Endpoint) {
  if (bearer !== 'refused' && access !== 'pending') return
  refuse(403, 'This needs a person who is signed in. A token will not do.', { code: 'session_required' })
}

async function readCookies({ db, clock }: Services, cookies: Cookies): Promise<Credentials> {
  const sessionToken = cookies.get('session')
  const session = sessionToken ? await findSession(db, clock, sessionToken) : null
  const pendingToken = cookies.get('pending')
  const pending = !session && pendingToken ? await findPendingSignIn(db, clock, pendingToken) : null
  return { user: session?.user ?? null, session, pending, token: null }
}

function isLetIn(access: Access, { user, pending }: Credentials): boolean {
  if (access === 'public') return true
  return access === 'pending' ? pending !== null : user !== null
}

/** What a security token is bound to: the session, else the pending sign-in, else this browser's anonymous cookie. */
export function csrfAnchor(
  cookies: Cookies,
  { session, pending }: Pick<Credentials, 'session' | 'pending'>,
): string | undefined {
  if (session) return `session ${session.id}`
  if (pending) return `pending ${pending.tokenHash}`
  const anonymous = cookies.get('anonymous')
  return anonymous && anonymousAnchor(anonymous)
}

/** Gives this browser the cookie that anchors its security tokens until it signs in. */
export function newAnonymousAnchor(cookies: Cookies): string {
  const anonymous = newToken()
  cookies.set('anonymous', anonymous)
  return anonymousAnchor(anonymous)
}

const anonymousAnchor = (cookie: string) => `anonymous ${cookie}`

function refuseForgery(services: Services, context: Context, cookies: Cookies, credentials: Credentials) {
  const anchor = csrfAnchor(cookies, credentials)
  const token = context.req.header('x-csrf-token') ?? ''
  if (anchor && isCsrfToken(services.keys.csrf, anchor, token)) return
  refuse(403, 'The security token is missing or out of date. Please try again.', { code: 'csrf_invalid' })
}
