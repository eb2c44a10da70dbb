import { generateCookie, getCookie } from 'hono/cookie'
import { days, hours } from '../platform/clock.ts'
import type { AppContext } from './responses.ts'

/**
 * `session` and `pending` hold the sign-in; `device` lets a trusted browser skip the code; `browser` identifies a known
 * browser, so that only a sign-in from a new one sends an email to the account's owner; `anonymous` is what the CSRF
 * token is bound to before sign-in. `enquiry` is the link of a visitor, `enquiry_code` the browser that asked for a code
 * without one, and `enquiry_access` what the code was exchanged for. Only `signed_in` is readable by scripts. It says just that someone is signed in, so
 * that a page need not call the API for visitors.
 */
const lifetimes = {
  session: hours(12),
  pending: hours(1),
  device: days(30),
  browser: days(365),
  anonymous: hours(12),
  signed_in: hours(12),
  enquiry: hours(0.5),
  enquiry_access: hours(0.5),
  enquiry_code: hours(0.5),
}
export type CookieName = keyof typeof lifetimes

export type Cookies = ReturnType<typeof cookiesOf>

/** Over https every cookie has the `__Host-` prefix and `Secure`; on plain http a browser would drop such a cookie. */
export function cookiesOf(context: AppContext, publicUrl: string) {
  const { env } = context
  const secure = publicUrl.startsWith('https:')
  const attributes = { path: '/', sameSite: 'Lax', secure } as const
  const fullName = (name: CookieName) => (secure ? `__Host-${name}` : name)
  /** @param maxAge in seconds */
  function set(name: CookieName, value: string, maxAge = lifetimes[name] / 1000) {
    const cookie = generateCookie(fullName(name), value, {
      ...attributes,
      httpOnly: name !== 'signed_in',
      maxAge,
    })
    const cookies = env.headers?.['Set-Cookie'] ?? []
    env.headers = { ...env.headers, 'Set-Cookie': [...cookies, cookie] }
  }
  return {
    get: (name: CookieName) => getCookie(context, fullName(name)),
    set,
    clear: (name: CookieName) => set(name, '', 0),
  }
}
