import type { Context } from 'hono'
import type { Services } from '../services.ts'
import type { Cookies } from './cookies.ts'
import type { Access, Endpoint } from './endpoint.ts'
import { refuse } from './problem.ts'
import { findPendingSignIn, findSession, type PendingSignIn, type Session } from './session.ts'
import { isCsrfToken, newToken } from './token.ts'

/** Larger than any form of the product. */
export const LARGEST_BODY = 64 * 1024

/** Who a request comes from, as far as its cookies show. */
export interface Credentials {
  readonly session: Session | null
  readonly pending: PendingSignIn | null
}

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

/** Reads who is calling, and refuses who may not. An `Authorization` header never falls back to cookies. */
export async function identify(
  services: Services,
  context: Context,
  cookies: Cookies,
  contract: Endpoint,
): Promise<Credentials> {
  if (context.req.header('authorization') !== undefined) {
    refuse(401, 'The token is not valid', { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } })
  }
  const credentials = await readCredentials(services, cookies)
  if (!isLetIn(contract.access, credentials)) refuse(401, 'Please sign in to continue')
  if (!isSafe(contract.method) && contract.csrf !== 'origin')
    refuseForgery(services, context, cookies, credentials)
  if (contract.access === 'admin' && credentials.session?.user.role !== 'admin') {
    refuse(403, "You don't have permission to do this")
  }
  return credentials
}

async function readCredentials({ db, clock }: Services, cookies: Cookies): Promise<Credentials> {
  const sessionToken = cookies.get('session')
  const session = sessionToken ? await findSession(db, clock, sessionToken) : null
  const pendingToken = cookies.get('pending')
  const pending = !session && pendingToken ? await findPendingSignIn(db, clock, pendingToken) : null
  return { session, pending }
}

function isLetIn(access: Access, { session, pending }: Credentials): boolean {
  if (access === 'public') return true
  return access === 'pending' ? pending !== null : session !== null
}

/** What a security token is bound to: the session, else the pending sign-in, else this browser's anonymous cookie. */
export function csrfAnchor(cookies: Cookies, { session, pending }: Credentials): string | undefined {
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
