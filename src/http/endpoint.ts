import type * as z from 'zod/mini'
import type { StaffAccess } from '../auth/permissions.ts'
import type { ErrorStatus } from './http-error.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call: anyone; a browser that has sent the password but not yet the code; any signed-in user; or a signed-in user
 * with this permission.
 */
export type Access = 'public' | 'pending' | StaffAccess

/**
 * Whether an API token is accepted in place of a session. It is denied for everything that concerns sign-in or
 * permissions, so that a stolen token cannot take over an account. `src/access.test.ts` has the list.
 */
export type TokenAuth = 'allowed' | 'denied'

export type BodyType = 'json' | 'form' | 'multipart' | 'bytes'

/** The header of a request that the portal sends while nobody touches it. */
export const UNATTENDED = 'x-unattended'

/** Calls per minute that one API token may make. */
export const CALLS_PER_MINUTE = 300

// biome-ignore lint/suspicious/noExplicitAny: an endpoint is generic over its schemas; only zod knows their inner types
export type Schema = z.ZodMiniType<any, any>

/** One API call, as data: the server serves it, browsers and tests call it, the API reference is generated from it. */
export interface Endpoint<
  Allowed extends Access = Access,
  Input extends Schema = Schema,
  Reply extends Schema = Schema,
  Auth extends TokenAuth = TokenAuth,
> {
  readonly method: Method
  /** With `:name` for its parameters. */
  readonly path: string
  readonly access: Allowed
  /** For the API reference: a verb and a noun. */
  readonly summary?: string
  /** `allowed` by default. With `denied`, a signed-in caller always has a session. */
  readonly tokenAuth?: Auth
  /** Path parameters, and the query of a GET or the body of other methods, in one object. */
  readonly input: Input
  /** `json` by default. A `form` is what an HTML page posts, `multipart` one with files; of `bytes` the input has the body as `bytes`. */
  readonly body?: BodyType
  /** Bytes: 64 KiB by default. The caller is authenticated before the body is read, so a stranger sends none of it. */
  readonly bodyLimit?: number
  /** Keys in all objects of a JSON body: 6,000 by default. */
  readonly maxKeys?: number
  /** The fields of a successful reply beside `success`; any other field is stripped. */
  readonly reply: Reply
  /** The reply is a stream of these events and does not end, so `reply` describes nothing. */
  readonly event?: Schema
  /** The reply is a document in a standard format, so it is sent without `success`. */
  readonly isDocument?: true
  /** The reply is of this type, so it is sent as it is. */
  readonly mediaType?: 'text/csv' | 'text/html' | 'message/rfc822' | 'application/octet-stream' | 'image/webp'
  /** Error statuses beyond those that its method, path and access imply; for the API reference. */
  readonly errorStatuses?: readonly ErrorStatus[]
  /** Request headers that change what it does, with their meaning; for the API reference. */
  readonly headers?: Readonly<Record<string, string>>
  /** 200 by default. */
  readonly status?: 200 | 201 | 202
  /** Whether a reply says that what was asked for is done later: then its status is 202. */
  readonly isAccepted?: (reply: object) => boolean
  /** Seconds for which anyone may cache the reply, which must be the same for everyone. Without it, nobody caches it. */
  readonly maxAge?: number
  /**
   * `origin` does not require the CSRF token: the three enquiry calls use nobody's authority, and an enquiry must not be
   * lost because of a missing token.
   */
  readonly csrf?: 'token' | 'origin'
  /** The portal makes this call by itself, so it does not extend the session. */
  readonly isUnattended?: true
  /** Paths of the calls whose replies it makes out of date, and with each those of the calls below it. */
  readonly stale?: readonly string[]
  /** Whether the call signs the caller in or out, so that its CSRF token is no longer valid. */
  readonly changesIdentity?: true
}

/** Declares an API call. The type requires `access`, so it cannot be left out. */
export function endpoint<
  Allowed extends Access,
  Input extends Schema,
  Reply extends Schema,
  Auth extends TokenAuth = 'allowed',
>(definition: Endpoint<Allowed, Input, Reply, Auth>): Endpoint<Allowed, Input, Reply, Auth> {
  return definition
}
