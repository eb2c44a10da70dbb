import type { Context } from 'hono'
import { type ApiToken, findApiToken, isApiToken, readApiToken } from '../auth/api-token.ts'
import { isGranted, type Permission } from '../auth/permissions.ts'
import {
  findPendingSignIn,
  findSession,
  type Grant,
  isCsrfToken,
  type PendingSignIn,
  readSession,
  type Session,
  type SignedInUser,
} from '../auth/session.ts'
import { pooledRandomBytes } from '../database/id.ts'
import { minutes } from '../platform/clock.ts'
import type { Services } from '../services.ts'
import type { Cookies } from './cookies.ts'
import { type Access, type BodyType, CALLS_PER_MINUTE, type Endpoint, UNATTENDED } from './endpoint.ts'
import { throwHttpError } from './http-error.ts'
import { bodyLimitOf, throwTooLarge } from './input.ts'

/** The caller, according to the API token or the cookies. */
export interface Credentials {
  /** The signed-in user, or the owner of the API token. */
  readonly user: SignedInUser | null
  /** Of that user, as the database has them now. */
  readonly permissions: readonly Permission[]
  readonly session: Session | null
  readonly pending: PendingSignIn | null
  readonly token: ApiToken | null
}

/** A client in a loop must not keep the database busy. */
const CALLS_PER_TOKEN = { name: 'calls with a token', count: CALLS_PER_MINUTE, per: minutes(1) }

const isSafe = (method: string) => method === 'GET' || method === 'HEAD'

/** Bytes may have any type: what they are is for the handler to find out. */
const contentTypes: Readonly<Record<BodyType, string | null>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  bytes: null,
}

/** @throws {HttpError} 413 or 415 for a body that is too large, compressed or of another type; without a body any type will do */
export function assertBody(context: Context, contract: Endpoint) {
  const length = Number(context.req.header('content-length') ?? 0)
  if (length > bodyLimitOf(contract)) throwTooLarge()
  if (length === 0 && context.req.header('transfer-encoding') === undefined) return
  const contentType = (context.req.header('content-type') ?? '').toLowerCase().replaceAll(' ', '')
  const type = contentTypes[contract.body ?? 'json']
  const isAccepted =
    type === null ||
    contentType === type ||
    contentType === `${type};charset=utf-8` ||
    (contract.body === 'multipart' && contentType.startsWith(`${type};boundary=`))
  if (isAccepted && !context.req.header('content-encoding')) return
  throwHttpError(415, `The request body must be ${type ? `${type} in UTF-8, ` : ''}uncompressed`)
}

/**
 * Rejects changes requested by another site. Browsers send where a request comes from; a client that sends neither
 * that nor cookies has no credentials that could be abused. @throws {HttpError} 403
 */
export function assertSameOrigin(context: Context, publicUrl: string, hasCookies: boolean) {
  if (isSafe(context.req.method)) return
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  const isOurs = site
    ? site === 'same-origin' || site === 'none'
    : origin
      ? origin === publicUrl
      : !hasCookies
  if (isOurs) return
  throwHttpError(
    403,
    `This request did not come from ${publicUrl}. If that is the wrong address, correct PUBLIC_URL.`,
  )
}

/** Whether a request has an API token, valid or not. Its cookies are then ignored. */
export function hasBearer(context: Context): boolean {
  return context.req.header('authorization') !== undefined
}

/**
 * Finds out who is calling and checks that they may. @param call a call that asks again is not counted again
 * @throws {HttpError} 401 or 403
 */
export async function authenticate(
  services: Services,
  context: Context,
  cookies: Cookies,
  contract: Endpoint,
  call: 'new' | 'counted' = 'new',
): Promise<Credentials> {
  const credentials = hasBearer(context)
    ? await readToken(services, context.req.header('authorization') ?? '', call === 'new')
    : await readCookies(services, cookies, !contract.isUnattended && !isUnattended(context))
  if (credentials.token) assertSession(contract, credentials)
  if (!isAllowed(contract.access, credentials)) throwHttpError(401, 'Please sign in to continue')
  if (!credentials.token && !isSafe(contract.method) && contract.csrf !== 'origin')
    assertCsrfToken(services, context, cookies, credentials)
  if (!hasPermission(contract.access, credentials)) {
    throwHttpError(403, "You don't have permission to do this", { targetUserId: credentials.user?.id })
  }
  return credentials
}

/** Finds the user of the API token in an `Authorization` header. With an invalid token, cookies are not tried. */
async function readToken(
  { db, clock, rateLimiter }: Services,
  header: string,
  isCounted: boolean,
): Promise<Credentials> {
  const [, bearer = ''] = /^Bearer +(\S+)$/i.exec(header) ?? []
  const token = isApiToken(bearer) ? await findApiToken(db, clock, bearer) : null
  if (!token) {
    const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }
    return throwHttpError(401, 'The token is not valid. It may have expired or been revoked.', { headers })
  }
  if (isCounted) await rateLimiter.consume(CALLS_PER_TOKEN, token.id)
  return { user: token.user, permissions: token.permissions, session: null, pending: null, token }
}

function assertSession({ access, tokenAuth }: Endpoint, { user }: Credentials) {
  if (tokenAuth !== 'denied' && access !== 'pending') return
  throwSessionRequired(user?.id)
}

/** Also for what a call with a token may not do, although it may do the rest. @throws {HttpError} 403 always */
export function throwSessionRequired(targetUserId: string | undefined): never {
  const details = { code: 'session_required', targetUserId }
  throwHttpError(403, 'This needs a person who is signed in. A token will not do.', details)
}

/**
 * Whether the portal sent a request by itself. Refetching after a live event must not keep a
 * session alive when its user has left.
 */
const isUnattended = (context: Context) => context.req.header(UNATTENDED) !== undefined

async function readCookies(
  { db, clock }: Services,
  cookies: Cookies,
  isExtended: boolean,
): Promise<Credentials> {
  const sessionToken = cookies.get('session')
  const session = sessionToken ? await findSession(db, clock, sessionToken, isExtended) : null
  const pendingToken = cookies.get('pending')
  const pending = !session && pendingToken ? await findPendingSignIn(db, clock, pendingToken) : null
  const { user = null, permissions = [] } = session ?? {}
  return { user, permissions, session, pending, token: null }
}

function isAllowed(access: Access, { user, pending }: Credentials): boolean {
  if (access === 'public') return true
  return access === 'pending' ? pending !== null : user !== null
}

function hasPermission(access: Access, { permissions }: Pick<Credentials, 'permissions'>): boolean {
  return access === 'public' || access === 'pending' || isGranted(access, permissions)
}

export function grantOf(
  { db, clock }: Services,
  access: Access,
  { session, token }: Pick<Credentials, 'session' | 'token'>,
): Grant {
  async function read() {
    if (session) return await readSession(db, clock, session.id)
    return token && (await readApiToken(db, clock, token.id))
  }
  return {
    id: session?.id ?? token?.id ?? '',
    async isValid(needed) {
      const authority = await read()
      return authority !== null && hasPermission(needed ?? access, authority)
    },
  }
}

/** The binding of a CSRF token: the session, else the pending sign-in, else this browser's anonymous cookie. */
export function csrfBinding(
  cookies: Cookies,
  { session, pending }: Pick<Credentials, 'session' | 'pending'>,
): string | undefined {
  if (session) return `session ${session.id}`
  if (pending) return `pending ${pending.tokenHash}`
  const anonymous = cookies.get('anonymous')
  return anonymous && anonymousBinding(anonymous)
}

/** Sets the cookie that the CSRF tokens of this browser are bound to until it signs in. */
export function newAnonymousBinding(cookies: Cookies): string {
  // Nobody can guess it, and nobody signs in with it.
  const anonymous = pooledRandomBytes(32).toString('base64url')
  cookies.set('anonymous', anonymous)
  return anonymousBinding(anonymous)
}

const anonymousBinding = (cookie: string) => `anonymous ${cookie}`

function assertCsrfToken(services: Services, context: Context, cookies: Cookies, credentials: Credentials) {
  const binding = csrfBinding(cookies, credentials)
  const token = context.req.header('x-csrf-token') ?? ''
  if (binding && isCsrfToken(services.keys.csrf, binding, token)) return
  const details = { code: 'csrf_invalid', targetUserId: credentials.user?.id ?? credentials.pending?.user.id }
  throwHttpError(403, 'The security token is missing or out of date. Please try again.', details)
}
