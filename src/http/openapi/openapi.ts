import * as z from 'zod/mini'
import { takeTurns } from '../../platform/turns.ts'
import { CALLS_PER_MINUTE, type Endpoint, type Schema } from '../endpoint.ts'
import {
  type Content,
  describeAccess,
  type JsonSchema,
  type Parameter,
  type ResponseDescription,
  securityOf,
  securitySchemes,
} from './openapi-document.ts'

/** Raised with each change that breaks clients; an addition does not need a new version. */
const VERSION = '1.0.0'

/**
 * Describes the API as an OpenAPI document: https://spec.openapis.org/oas/v3.1.1. That takes some fifty milliseconds, in which
 * others are served.
 */
export async function describeApi(served: readonly Endpoint[], publicUrl: string) {
  /** Path → method in lower case → operation. */
  const paths: Record<string, Record<string, Operation>> = {}
  const pause = await takeTurns()
  for (const contract of served) {
    await pause()
    const documentPath = documentPathOf(contract, served)
    paths[documentPath.path] = {
      ...paths[documentPath.path],
      [contract.method.toLowerCase()]: describeOperation(contract, documentPath),
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Landfall',
      version: VERSION,
      description: 'The API of this installation. Times are ISO 8601 in UTC, ids are UUIDs.',
    },
    servers: [{ url: publicUrl }],
    tags: tagsOf(served),
    paths,
    components: {
      schemas: { Refusal },
      responses: errorResponses,
      securitySchemes: securitySchemes(publicUrl.startsWith('https:') ? '__Host-' : ''),
    },
  }
}

/** The part of OpenAPI that Landfall uses. */
export type OpenApiDocument = Awaited<ReturnType<typeof describeApi>>
export type Operation = ReturnType<typeof describeOperation>

/** Identifies an operation within the document, and in links to it. */
function operationId({ method, path }: Endpoint): string {
  return `${method} ${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
}

function describeOperation(contract: Endpoint, { nameOf }: ReturnType<typeof documentPathOf>) {
  const { input, status = 200, summary = `${contract.method} ${contract.path}` } = contract
  const fields = toJsonSchema(input, 'input')
  const inPath = [...contract.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const inQuery = contract.method === 'GET' ? namesOf(fields).filter(name => !inPath.includes(name)) : []
  const isRequired = (name: string) => fields.required?.includes(name) ?? false
  const schemaOf = (name: string) => fields.properties?.[name] ?? {}
  const parameters: Parameter[] = [
    ...inPath.map(input => ({
      name: nameOf(input),
      in: 'path' as const,
      required: true,
      ...(nameOf(input) !== input && { description: describeId(input) }),
      schema: schemaOf(input),
    })),
    ...inQuery.map(name => ({
      name,
      in: 'query' as const,
      required: isRequired(name),
      schema: schemaOf(name),
    })),
    ...Object.entries(contract.headers ?? {}).map(([name, description]) => {
      return { name, in: 'header' as const, required: false, description, schema: { type: 'string' } }
    }),
  ]
  const body = contract.method === 'GET' ? {} : without(fields, inPath)
  const required = (body.required?.length ?? 0) > 0
  const responses: Record<string, ResponseDescription | { readonly $ref: string }> = {
    [status]: { description: 'Success', content: replyOf(contract) },
    ...(contract.isAccepted && {
      202: { description: 'Accepted: it is done later', content: replyOf(contract) },
    }),
  }
  for (const code of statusesOf(contract)) responses[code] ??= { $ref: `#/components/responses/${code}` }
  return {
    operationId: operationId(contract),
    summary,
    description: describeAccess(contract),
    tags: [groupOf(contract).name],
    parameters,
    ...(namesOf(body).length > 0 && { requestBody: { required, content: contentOf(contract, body) } }),
    responses,
    security: securityOf(contract),
  }
}

/** The body of every error response. */
const Refusal: JsonSchema = {
  type: 'object',
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'For people' },
    code: { type: 'string', description: 'For clients that act on it' },
    draft: {
      type: ['object', 'null'],
      description: 'The stored draft, if the code is draft_changed; null if there is none any more',
    },
    current: { type: 'object', description: 'The stored message, if the code is message_changed' },
    mergedInto: { type: 'string', description: 'The id of the other message, if the code is merged' },
    entries: {
      type: 'array',
      items: { type: 'object' },
      description: 'The entries since then, if the code is newer_entries',
    },
    review: {
      type: ['object', 'null'],
      description: 'What waits for a second person, if the code is review_changed',
    },
    fact: { type: ['object', 'null'], description: 'The stored fact, if the code is fact_changed' },
    cannedReply: {
      type: 'object',
      description: 'The stored canned reply, if the code is canned_reply_changed',
    },
    uses: {
      type: 'array',
      items: { type: 'object' },
      description: 'The documents that need the picture, if the code is picture_in_use',
    },
    errors: { type: 'object', additionalProperties: { type: 'string' }, description: 'Error of each field' },
    requestId: { type: 'string', format: 'uuid', description: 'Id of the request in the log' },
  },
  required: ['success', 'message', 'requestId'],
}

function replyOf({ reply, isDocument, mediaType, event }: Endpoint): Content {
  if (mediaType) return { [mediaType]: { schema: { type: 'string' } } }
  if (event) return { 'text/event-stream': { schema: toJsonSchema(event, 'output') } }
  return asJson(isDocument ? { type: 'object' } : withSuccess(toJsonSchema(reply, 'output')))
}

function withSuccess(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(withSuccess) }
  return {
    ...schema,
    properties: { success: { const: true }, ...schema.properties },
    required: ['success', ...(schema.required ?? [])],
  }
}

function contentOf(contract: Endpoint, body: JsonSchema): Content {
  return contract.body === 'bytes' ? { 'application/octet-stream': { schema: {} } } : asJson(body)
}

const asJson = (schema: JsonSchema): Content => ({ 'application/json': { schema } })

/**
 * The path of a call in the OpenAPI document, with `{name}` for its parameters. OpenAPI has one path item for paths that differ only in the name of a parameter, so a parameter with several names is
 * called `id` there, and each method describes what it is the id of.
 */
export function documentPathOf(contract: Endpoint, served: readonly Endpoint[]) {
  const same = served.filter(({ path }) => shapeOf(path) === shapeOf(contract.path))
  const isShared = new Set(same.map(({ path }) => path)).size > 1
  /** The name of an input → the name of its path parameter. */
  const nameOf = (input: string) => (isShared ? 'id' : input)
  return { path: contract.path.replace(/:(\w+)/g, (_, input: string) => `{${nameOf(input)}}`), nameOf }
}

/** `userId` → "The id of the user": for a path parameter that is called `id` in the document. */
function describeId(input: string): string {
  return `The id of the ${input.replace(/Id$/, '')}`
}

const shapeOf = (path: string) => path.replace(/:\w+/g, ':')

/** The JSON Schema of a zod schema, as input from a client or as output in a reply. */
function toJsonSchema(schema: Schema, io: 'input' | 'output'): JsonSchema {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  const { $schema: _, ...jsonSchema }: JsonSchema = JSON.parse(text, (_key, value) => declareKeys(value))
  return jsonSchema
}

/** zod writes a record of known keys as `required` and `additionalProperties`; this lists them as `properties`. */
function declareKeys(schema: JsonSchema | null): JsonSchema | null {
  if (!schema || !Array.isArray(schema.required) || schema.properties) return schema
  const { additionalProperties, propertyNames: _, ...rest } = schema
  const each = schema.required.map(name => [name, additionalProperties ?? {}])
  return { ...rest, properties: Object.fromEntries(each), additionalProperties: false }
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  const required = (schema.required ?? []).filter(name => !names.includes(name))
  const { required: _, ...rest } = schema
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  }
}

const namesOf = (schema: JsonSchema) => Object.keys(schema.properties ?? {})

type Tag = Readonly<Record<'name' | 'description', string>>

const groups: readonly (Tag & { readonly paths: RegExp })[] = [
  {
    name: 'Enquiries',
    description: 'Enquiries from the forms of the public pages.',
    paths: /^\/api\/(contact|visa-assessment|track-application|public\/)/,
  },
  {
    name: 'Sign-in',
    description: 'Sessions of staff, and their own profile.',
    paths: /^\/api\/(csrf-token|auth\/)/,
  },
  { name: 'Users', description: 'Staff accounts.', paths: /^\/api\/users/ },
  {
    name: 'Messages',
    description: 'The enquiries that were received, and what staff say to their senders.',
    paths: /^\/api\/(messages|canned-replies|events)/,
  },
  { name: 'Content', description: 'What the public pages show.', paths: /^\/api\/content/ },
  { name: 'Settings', description: 'The configuration of this installation.', paths: /^\/api\/settings/ },
  {
    name: 'API tokens',
    description: 'Tokens for API clients, and this reference.',
    paths: /^\/api\/(admin\/tokens|openapi)/,
  },
  { name: 'System logs', description: 'Entries of the system log.', paths: /^\/api\/logs/ },
  { name: 'Dashboard', description: 'Figures for the dashboard.', paths: /^\/api\/dashboard/ },
]

const rest: Tag = { name: 'Health', description: 'Whether the server is up and ready.' }

/** Each tag once, in the order of the calls. */
function tagsOf(served: readonly Endpoint[]): Tag[] {
  return [...new Set(served.map(groupOf))].map(({ name, description }) => ({ name, description }))
}

function groupOf({ path }: Endpoint): Tag {
  return groups.find(({ paths }) => paths.test(path)) ?? rest
}

const retryAfter = {
  'Retry-After': { description: 'Seconds until a retry is worthwhile', schema: { type: 'integer' } },
}

/** Every error response by status; `default` covers those that an operation does not list. */
const errorResponses: Readonly<Record<string, ResponseDescription>> = {
  400: error('The fields or the request are invalid; `errors` has the reason for each field'),
  401: error('Not signed in, or the token is not valid', {
    'WWW-Authenticate': { description: 'Only if a token was sent', schema: { type: 'string' } },
  }),
  403: error(
    'Cross-site request; CSRF token missing or out of date (csrf_invalid); API token where a session is required (session_required); or role not permitted',
  ),
  404: error('Not found'),
  409: error('Conflicts with existing data'),
  413: error('The body is larger than this call takes: 64 KiB for most'),
  415: error('The body is compressed, or not JSON in UTF-8 where the call takes that'),
  422: error('The Idempotency-Key was already used with different content'),
  429: error(`Too many requests; for a token, more than ${CALLS_PER_MINUTE} in a minute`, retryAfter),
  503: error('Temporarily unavailable', retryAfter),
  default: error('Any other error'),
}

/** The error statuses that a call can return, with `default` at the end. */
function statusesOf(contract: Endpoint): string[] {
  const { method, access, path, tokenAuth, errorStatuses = [] } = contract
  const isChange = method !== 'GET'
  const isForAnyone = access === 'public' || access === 'signed-in'
  const mayForbid = isChange || !isForAnyone || tokenAuth === 'denied'
  const statuses = [
    400,
    401,
    ...(mayForbid ? [403] : []),
    ...(path.includes('/:') ? [404] : []),
    ...(isChange ? [413, 415] : []),
    429,
    503,
    ...errorStatuses,
  ]
  return [...new Set(statuses)]
    .sort((one, other) => one - other)
    .map(String)
    .concat('default')
}

function error(description: string, headers?: ResponseDescription['headers']): ResponseDescription {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
  return headers ? { description, headers, content } : { description, content }
}
