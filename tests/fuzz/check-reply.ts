import { permissionsOf } from '../../src/auth/permissions.ts'
import type { OpenApiDocument, Operation } from '../../src/http/openapi/openapi.ts'
import type { FuzzRequest } from './requests.ts'
import { resolve, schemaError } from './schema-error.ts'
import type { Received, Sent } from './send.ts'

/** Calls that send an email while the caller waits. Settings that an earlier request changed may make it fail. */
const SENDS_AN_EMAIL = /forward$|test-email$|login$|resend-2fa$/
/** Path parts that make a URL that of another call. */
const OTHER_URL_PARTS = ['', '.', '..']

/** What is wrong with a reply. @returns null when nothing is. */
export function checkReply(
  document: OpenApiDocument,
  drawn: FuzzRequest,
  sent: Sent,
  { status, headers, body }: Received,
): string | null {
  const { operation, role } = drawn
  if (status === 503 && !SENDS_AN_EMAIL.test(operation.path)) return '503 though nothing is down'
  if (status >= 500 && status !== 503) return `${status}: ${body}`
  if (!statusesFor(document, drawn, sent).includes(status)) return `${status} is not declared`
  const [, needed] =
    /^Needs the permission (\S+)\./.exec(operationsAt(document, sent)[0]?.description ?? '') ?? []
  if (status < 300 && sent.method !== 'OPTIONS' && needed) {
    if (!permissionsFor(role).includes(needed)) return `${status} for ${role}`
    if (drawn.shows === 'bad token') return `${status} for a bad token`
  }
  if ((status === 429 || status === 503) && !headers['retry-after']) return `${status} without Retry-After`
  if (status === 405 && !headers.allow) return '405 without Allow'
  if (sent.method === 'HEAD' || [204, 304, 431].includes(status)) return null
  if (headers['x-content-type-options'] !== 'nosniff') return `${status} that may be sniffed as another type`
  const isCsv = status === 200 && /\/export(\?|$)/.test(sent.target)
  if (!headers['content-type']?.startsWith(isCsv ? 'text/csv' : 'application/json'))
    return `${status} of another type`
  if (isCsv) return null
  const schema = schemaFor(document, sent, status)
  return schemaError(JSON.parse(body), schema, document)
}

function permissionsFor(role: FuzzRequest['role']): readonly string[] {
  return role === 'viewer' || role === 'admin' ? permissionsOf(role, 'none') : []
}

function statusesFor(document: OpenApiDocument, { pathParts }: FuzzRequest, sent: Sent) {
  const operations = operationsAt(document, sent)
  const declared = operations.flatMap(({ responses }) => Object.keys(responses).map(Number))
  const isOtherUrl = Object.values(pathParts).some(part => OTHER_URL_PARTS.includes(part))
  return [
    ...(operations.length > 0 ? declared : [405]),
    ...(sent.method === 'OPTIONS' ? [204] : []),
    ...(sent.headers['if-none-match'] === undefined ? [] : [304]),
    // A malformed request is rejected before it is routed.
    ...[400, 431],
    ...(isOtherUrl ? [404, 405] : []),
  ]
}

function schemaFor(document: OpenApiDocument, sent: Sent, status: number) {
  const [declared] = operationsAt(document, sent).map(({ responses }) => responses[status])
  const json = declared && 'content' in declared ? declared.content['application/json'] : undefined
  return json?.schema ?? resolve(document, '#/components/schemas/Refusal')
}

/** The operations of the reference for this method and URL; all of them when several patterns match. */
function operationsAt(document: OpenApiDocument, { method, target }: Sent): Operation[] {
  // As the server reads it: `/users/./work` is `/users/work`.
  const requestPath = new URL(target.split('?', 1)[0] ?? '', 'http://localhost').pathname
  const name = method === 'HEAD' ? 'get' : method.toLowerCase()
  return Object.entries(document.paths).flatMap(([path, operations]) => {
    const matches = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`).test(requestPath)
    return matches ? (operations[name] ?? []) : []
  })
}
