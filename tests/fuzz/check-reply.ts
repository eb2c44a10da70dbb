import type { OpenApiDocument, Operation } from '../../src/http/openapi-document.ts'
import type { FuzzRequest } from './requests.ts'
import { resolve, schemaError } from './schema-error.ts'
import type { Received, Sent } from './send.ts'

/** Where a letter is sent while the caller waits: settings that a request before has made may not let it go. */
const SENDS_AN_EMAIL = /forward$|test-email$|login$|resend-2fa$/
/** Addresses with such a part are another address, of whatever call is there. */
const LEADS_ELSEWHERE = ['', '.', '..']

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
  if (status < 300 && sent.method !== 'OPTIONS' && operation.description.startsWith('For admins')) {
    if (role !== 'admin') return `${status} for ${role}`
    if (drawn.shows === 'bad token') return `${status} for a bad token`
  }
  if ((status === 429 || status === 503) && !headers['retry-after']) return `${status} without Retry-After`
  if (status === 405 && !headers.allow) return '405 without Allow'
  if (sent.method === 'HEAD' || [204, 304, 431].includes(status)) return null
  if (!headers['content-type']?.startsWith('application/json')) return `${status} that is no JSON`
  if (headers['x-content-type-options'] !== 'nosniff') return `${status} that may be taken for something else`
  const schema = schemaFor(document, sent, status)
  return schemaError(JSON.parse(body), schema, document)
}

function statusesFor(document: OpenApiDocument, { pathParts }: FuzzRequest, sent: Sent) {
  const asked = operationsAt(document, sent)
  const declared = asked.flatMap(({ responses }) => Object.keys(responses).map(Number))
  const isElsewhere = Object.values(pathParts).some(part => LEADS_ELSEWHERE.includes(part))
  return [
    ...(asked.length > 0 ? declared : [405]),
    ...(sent.method === 'OPTIONS' ? [204] : []),
    ...(sent.headers['if-none-match'] === undefined ? [] : [304]),
    // What cannot be read is refused before it is known for which call it is.
    ...[400, 431],
    ...(isElsewhere ? [404, 405] : []),
  ]
}

function schemaFor(document: OpenApiDocument, sent: Sent, status: number) {
  const [declared] = operationsAt(document, sent).map(({ responses }) => responses[status])
  if (declared && 'content' in declared) return declared.content['application/json'].schema
  return resolve(document, '#/components/schemas/Refusal')
}

/** What the reference has for this method at this address: of two patterns that fit both. */
function operationsAt(document: OpenApiDocument, { method, target }: Sent): Operation[] {
  const [address = ''] = target.split('?', 1)
  const name = method === 'HEAD' ? 'get' : method.toLowerCase()
  return Object.entries(document.paths).flatMap(([path, operations]) => {
    const fits = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`).test(address)
    return fits ? (operations[name] ?? []) : []
  })
}
