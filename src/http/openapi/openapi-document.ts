import type { Access, Endpoint } from '../endpoint.ts'

/** The part of OpenAPI 3.1 that Landfall uses, for the generator and for the API reference page. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Path → method in lower case → operation. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, ResponseDescription>>
    readonly securitySchemes: Readonly<Record<string, JsonObject>>
  }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: BodyContent }
  readonly responses: Readonly<Record<string, ResponseDescription | { readonly $ref: string }>>
  /** Alternatives: one entry is enough, and all schemes in an entry are needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

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
  readonly content: ReplyContent
}

export interface BodyContent extends Partial<JsonContent> {
  readonly 'application/octet-stream'?: { readonly schema: JsonSchema }
}

export interface ReplyContent extends Partial<JsonContent> {
  readonly 'text/csv'?: { readonly schema: JsonSchema }
  /** The schema of one event. */
  readonly 'text/event-stream'?: { readonly schema: JsonSchema }
}

interface JsonContent {
  readonly 'application/json': { readonly schema: JsonSchema }
}

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly [keyword: string]: unknown
}

type JsonObject = Readonly<Record<string, unknown>>

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

/** A browser that changes something also sends a CSRF token; a client with an API token does not. */
export function securityOf({ method, access, csrf, tokenAuth }: Endpoint): Operation['security'] {
  const needsCsrf = method !== 'GET' && csrf !== 'origin'
  const withCsrf = (scheme: string) => (needsCsrf ? { [scheme]: [], csrfToken: [] } : { [scheme]: [] })
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
