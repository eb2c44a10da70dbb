import type { Config } from '../../config.ts'
import { encodeResponse } from '../../http/representation.ts'
import {
  allowHeader,
  type CachedResponse,
  type HonoApp,
  lazyResponse,
  methodNotAllowed,
  type ResponseMap,
} from '../../http/responses.ts'
import { responseHeaders } from '../../http/security-headers.ts'
import { type Clock, days } from '../../platform/clock.ts'

export const SECURITY_TXT = '/.well-known/security.txt'
export const CHANGE_PASSWORD = '/.well-known/change-password'

/** RFC 9116 recommends less than a year. Renewed every day, so a copy that is half a year old has expired. */
const VALID_FOR = days(180)

type Contact = Pick<Config, 'publicUrl' | 'securityContact'>

/** Where to report a weakness of the site: https://www.rfc-editor.org/rfc/rfc9116 */
export function securityTextResponse(config: Contact, clock: Clock): ResponseMap {
  const headers = {
    ...responseHeaders(config.publicUrl),
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
  }
  return new Map([
    [SECURITY_TXT, renewedDaily(clock, today => encodeResponse(securityText(config, today), headers))],
  ])
}

/**
 * Without a configured contact it names the contact page: the addresses in the settings belong to people and are not
 * published.
 */
function securityText({ publicUrl, securityContact }: Contact, today: number): string {
  return [
    `Contact: ${securityContact ?? `${publicUrl}/contact`}`,
    `Expires: ${new Date(today + VALID_FOR).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}${SECURITY_TXT}`,
    '',
  ].join('\n')
}

/** Rendered at the first request of each UTC day, dated at its start, so that all nodes answer the same. */
function renewedDaily(
  clock: Clock,
  make: (today: number) => ReturnType<CachedResponse['fetch']>,
): CachedResponse {
  let kept: { readonly today: number; readonly response: CachedResponse } | undefined
  const find = () => {
    const now = clock().getTime()
    const today = now - (now % days(1))
    if (kept?.today !== today) kept = { today, response: lazyResponse(() => make(today)) }
    return kept.response
  }
  return { peek: query => find().peek(query), fetch: query => find().fetch(query) }
}

/** Redirects password managers to the page for changing a password: https://www.w3.org/TR/change-password-url/ */
export function serveChangePassword(app: HonoApp, { publicUrl }: Contact) {
  // A signed-out user gets there after signing in.
  const headers = {
    ...responseHeaders(publicUrl),
    Location: '/dashboard?profile=edit',
    'Cache-Control': 'no-store',
  }
  app.get(CHANGE_PASSWORD, context => context.body(null, 302, headers))
  app.all(CHANGE_PASSWORD, context => methodNotAllowed(context, allowHeader(['GET'])))
}
