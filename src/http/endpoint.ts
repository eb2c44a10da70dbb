import type * as z from 'zod/mini'
import type { ErrorStatus } from './http-error.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call: anyone; a browser between password and code; any signed-in member of staff; an admin. */
export type Access = 'public' | 'pending' | 'signed-in' | 'admin'

/**
 * Whether an API token will do in place of a session. It is refused where the caller must be a person: what concerns
 * sign-in or power, whoever's it is, so that a stolen token cannot become a takeover. `src/access.test.ts` has the list.
 */
export type TokenAuth = 'allowed' | 'denied'

/** How often one token may call. */
export const CALLS_PER_MINUTE = 300

// biome-ignore lint/suspicious/noExplicitAny: a contract is generic over its shapes; only zod knows their inner types
export type Schema = z.ZodMiniType<any, any>

/** One call, as data: the server serves it, browsers and tests call it, the reference is generated from it. */
export interface Endpoint<
  Allowed extends Access = Access,
  Input extends Schema = Schema,
  Reply extends Schema = Schema,
  Auth extends TokenAuth = TokenAuth,
> {
  readonly method: Method
  /** With `:name` for the parts that are input. */
  readonly path: string
  readonly access: Allowed
  /** What it is for, in the reference: a verb and a noun. */
  readonly summary?: string
  /** `allowed` unless it says otherwise. With `denied`, whoever is signed in has a session. */
  readonly tokenAuth?: Auth
  /** Path parts, and the query of a GET or the JSON body of the others, in one object. */
  readonly input: Input
  /** What a success carries beside `success`; whatever is not declared here is stripped. */
  readonly reply: Reply
  /** The reply is a document whose form others have settled, so it goes out without `success`. */
  readonly isDocument?: true
  /** With which it refuses beyond what its method, path and access imply; for the reference. */
  readonly errorStatuses?: readonly ErrorStatus[]
  /** Headers of the request that change what it does, with their meaning; for the reference. */
  readonly headers?: Readonly<Record<string, string>>
  /** 200 unless something was created. */
  readonly status?: 200 | 201
  /** Seconds for which anyone may keep the reply, which is then the same for everyone. Without it nobody keeps it. */
  readonly maxAge?: number
  /**
   * `origin` leaves out the security token: the three enquiry calls carry nobody's authority, and an enquiry must not
   * be lost for want of a token.
   */
  readonly csrf?: 'token' | 'origin'
  /** Whether the caller is someone else to the server afterwards, so that its security token is void. */
  readonly changesIdentity?: true
}

/** Declares a call. Access cannot be forgotten: the type demands it. */
export function endpoint<
  Allowed extends Access,
  Input extends Schema,
  Reply extends Schema,
  Auth extends TokenAuth = 'allowed',
>(definition: Endpoint<Allowed, Input, Reply, Auth>): Endpoint<Allowed, Input, Reply, Auth> {
  return definition
}
