import { CALLS_PER_MINUTE, type Endpoint } from './endpoint.ts'
import type { ResponseDescription } from './openapi-document.ts'

const retryAfter = {
  'Retry-After': { description: 'Seconds until it is worth another try', schema: { type: 'integer' } },
}

/** Every refusal there is, by status; `default` stands for those that a call does not name. */
export const errorResponses: Readonly<Record<string, ResponseDescription>> = {
  400: error('The fields or the request itself cannot be taken; errors says why, field by field'),
  401: error('Nobody is signed in, or the token is not valid', {
    'WWW-Authenticate': { description: 'With a token only', schema: { type: 'string' } },
  }),
  403: error(
    'From another site; or the security token is out of date (csrf_invalid); or a token where a person is needed (session_required); or not for this role',
  ),
  404: error('There is no such thing any more'),
  409: error('In conflict with what is there'),
  413: error('The body is larger than 64 KiB'),
  415: error('The body is not uncompressed JSON in UTF-8'),
  422: error('The same Idempotency-Key came with another content'),
  429: error(`Too many requests; for a token, more than ${CALLS_PER_MINUTE} in a minute`, retryAfter),
  503: error('Not possible right now', retryAfter),
  default: error('Any other refusal, or a fault on our side'),
}

/** The statuses with which a call can refuse, beside the `default`. */
export function statusesOf(contract: Endpoint): string[] {
  const { method, access, path, tokenAuth, errorStatuses = [] } = contract
  const isChange = method !== 'GET'
  const mayForbid = isChange || access === 'admin' || access === 'pending' || tokenAuth === 'denied'
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
