import { CALLS_PER_MINUTE, type Endpoint } from './endpoint.ts'
import type { ResponseDescription } from './openapi-document.ts'

const retryAfter = {
  'Retry-After': { description: 'Seconds until a retry is worthwhile', schema: { type: 'integer' } },
}

/** Every error response by status; `default` covers those that an operation does not list. */
export const errorResponses: Readonly<Record<string, ResponseDescription>> = {
  400: error('The fields or the request are invalid; `errors` has the reason for each field'),
  401: error('Not signed in, or the token is not valid', {
    'WWW-Authenticate': { description: 'Only if a token was sent', schema: { type: 'string' } },
  }),
  403: error(
    'Cross-site request; CSRF token missing or out of date (csrf_invalid); API token where a session is required (session_required); or role not permitted',
  ),
  404: error('Not found'),
  409: error('Conflicts with existing data'),
  413: error('The body is larger than this call accepts: 64 KiB for most'),
  415: error('The body is not uncompressed JSON in UTF-8'),
  422: error('The Idempotency-Key was already used with different content'),
  429: error(`Too many requests; for a token, more than ${CALLS_PER_MINUTE} in a minute`, retryAfter),
  503: error('Temporarily unavailable', retryAfter),
  default: error('Any other error'),
}

/** The error statuses that a call can return, with `default` at the end. */
export function statusesOf(contract: Endpoint): string[] {
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
