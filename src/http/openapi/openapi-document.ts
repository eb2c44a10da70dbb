import type { Access, Endpoint } from '../endpoint.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface ResponseDescription {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>
  readonly content: Content
}

/** The schema of each media type: of `text/csv` and of a mail a text, of `text/event-stream` one event. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly [keyword: string]: unknown
}

/** The access to an endpoint, as sentences for the API reference. */
export function describeAccess({ access, tokenAuth }: Endpoint): string {
  return tokenAuth === 'denied' || access === 'pending'
    ? `${audienceOf(access)} An API token is not accepted.`
    : audienceOf(access)
}

function audienceOf(access: Access): string {
  if (access === 'public') return 'For everyone.'
  if (access === 'pending') return 'For a browser that has sent the password but not yet the code.'
  return access === 'signed-in' ? 'For everyone who is signed in.' : `Needs the permission ${access}.`
}

/**
 * One of the alternatives is enough, with all schemes in it. A browser that changes something also sends a CSRF token; a client
 * with an API token does not.
 */
export function securityOf({ method, access, csrf, tokenAuth }: Endpoint): Record<string, string[]>[] {
  const needsCsrf = method !== 'GET' && csrf !== 'origin'
  const withCsrf = (scheme: string) => ({ [scheme]: [], ...(needsCsrf && { csrfToken: [] }) })
  if (access === 'public') return needsCsrf ? [withCsrf('anonymous')] : []
  if (access === 'pending') return [withCsrf('pending')]
  return tokenAuth === 'denied' ? [withCsrf('session')] : [withCsrf('session'), { bearer: [] }]
}

/** @param prefix of the cookie names, which they have over https only */
export function securitySchemes(prefix: string) {
  const cookie = (name: string, description: string) => {
    return { type: 'apiKey', in: 'cookie', name: `${prefix}${name}`, description }
  }
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API token, with the permissions of its user.',
    },
    session: cookie('session', 'Set by sign-in.'),
    pending: cookie('pending', 'Set after the password, until the code is sent.'),
    anonymous: cookie('anonymous', 'Set with the first CSRF token.'),
    csrfToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-CSRF-Token',
      description: 'From GET /api/csrf-token; valid only with the cookies that were set then.',
    },
  }
}
