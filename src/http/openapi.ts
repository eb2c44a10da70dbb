import type { Endpoint } from './endpoint.ts'
import type {
  BodyContent,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  ReplyContent,
} from './openapi-document.ts'
import { errorResponses, statusesOf } from './openapi-errors.ts'
import { type DocumentPath, describeId, documentPathOf } from './openapi-paths.ts'
import { namesOf, toJsonSchema, without } from './openapi-schemas.ts'
import { describeAccess, securityOf, securitySchemes } from './openapi-security.ts'
import { tagOf, tagsOf } from './openapi-tags.ts'

/** Raised with each change that breaks clients; an addition does not need a new version. */
const VERSION = '1.0.0'

/** Describes the API as an OpenAPI document: https://spec.openapis.org/oas/v3.1.1 */
export function describeApi(served: readonly Endpoint[], publicUrl: string): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const contract of served) {
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

/** Identifies an operation within the document, and in links to it. */
function operationId({ method, path }: Endpoint): string {
  return `${method} ${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
}

function describeOperation(contract: Endpoint, { nameOf }: DocumentPath): Operation {
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
  const errors = statusesOf(contract).map(code => [code, { $ref: `#/components/responses/${code}` }])
  return {
    operationId: operationId(contract),
    summary,
    description: describeAccess(contract),
    tags: [tagOf(contract)],
    parameters,
    ...(namesOf(body).length > 0 && { requestBody: { required, content: contentOf(contract, body) } }),
    responses: {
      [status]: { description: 'Success', content: replyOf(contract) },
      ...Object.fromEntries(errors),
    },
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

function replyOf({ reply, isDocument, mediaType, event }: Endpoint): ReplyContent {
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

function contentOf(contract: Endpoint, body: JsonSchema): BodyContent {
  return contract.body === 'bytes' ? { 'application/octet-stream': { schema: {} } } : asJson(body)
}

const asJson = (schema: JsonSchema) => ({ 'application/json': { schema } })
