import type { Access, Endpoint } from './endpoint.ts'
import type { Operation } from './openapi-document.ts'

const audience: Record<Access, string> = {
  public: 'For everyone.',
  pending: 'For a browser between password and code.',
  'signed-in': 'For everyone who is signed in.',
  admin: 'For admins.',
}

/** In words. */
export function describeAccess({ access, tokenAuth }: Endpoint): string {
  return tokenAuth === 'denied' || access === 'pending'
    ? `${audience[access]} Not with a token: it needs a person.`
    : audience[access]
}

/** A changing call by a browser shows a security token too; a program with a token of its own does not. */
export function securityOf({ method, access, csrf, tokenAuth }: Endpoint): Operation['security'] {
  const isForged = method !== 'GET' && csrf !== 'origin'
  const withCsrf = (scheme: string) => (isForged ? { [scheme]: [], csrfToken: [] } : { [scheme]: [] })
  if (access === 'public') return isForged ? [withCsrf('anonymous')] : []
  if (access === 'pending') return [withCsrf('pending')]
  return tokenAuth === 'denied' ? [withCsrf('session')] : [withCsrf('session'), { bearer: [] }]
}

/** @param prefix of the cookies' names: over https they have one */
export function securitySchemes(prefix: string) {
  const cookie = (name: string, description: string) => {
    return { type: 'apiKey', in: 'cookie', name: `${prefix}${name}`, description }
  }
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'An API token, with the role of its user.' },
    session: cookie('session', 'Set by the sign-in.'),
    pending: cookie('pending', 'Set by the password, until the code is given.'),
    anonymous: cookie('anonymous', 'Set with the first security token.'),
    csrfToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-CSRF-Token',
      description: 'From GET /api/csrf-token, for the cookies that it was given with.',
    },
  }
}
