import { type Clock, days } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { allowing, answerOtherMethod } from '../../http/answers.ts'
import { represent } from '../../http/representation.ts'
import { answerHeaders } from '../../http/security-headers.ts'
import type { App } from '../../http/serve.ts'
import { type Shelf, type Shelved, shelve } from '../../http/shelf.ts'

export const SECURITY_TXT = '/.well-known/security.txt'
export const CHANGE_PASSWORD = '/.well-known/change-password'

/** RFC 9116 wants less than a year; every day moves it on, so a copy that is half a year old is one to doubt. */
const VALID_FOR = days(180)

type Contact = Pick<Config, 'publicUrl' | 'securityContact'>

/** Where to report a weakness of the site: https://www.rfc-editor.org/rfc/rfc9116 */
export function shelveSecurityText(config: Contact, clock: Clock): Shelf {
  const headers = {
    ...answerHeaders(config.publicUrl),
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
  }
  return new Map([
    [SECURITY_TXT, shelveDaily(clock, today => represent(securityText(config, today), headers))],
  ])
}

/**
 * Without an address of its own it is the contact page: the addresses in the settings are of people, and are on no
 * page.
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

/** Made again on the first request of each day (UTC), from its first moment, so that all nodes answer the same. */
function shelveDaily(clock: Clock, make: (today: number) => ReturnType<Shelved['fetch']>): Shelved {
  let kept: { readonly today: number; readonly shelved: Shelved } | undefined
  const find = () => {
    const now = clock().getTime()
    const today = now - (now % days(1))
    if (kept?.today !== today) kept = { today, shelved: shelve(() => make(today)) }
    return kept.shelved
  }
  return { atHand: query => find().atHand(query), fetch: query => find().fetch(query) }
}

/** Leads password managers to where one changes one's own: https://www.w3.org/TR/change-password-url/ */
export function serveChangePassword(app: App, { publicUrl }: Contact) {
  // Who is not signed in comes there after the sign-in.
  const headers = {
    ...answerHeaders(publicUrl),
    Location: '/dashboard?profile=edit',
    'Cache-Control': 'no-store',
  }
  app.get(CHANGE_PASSWORD, context => context.body(null, 302, headers))
  app.all(CHANGE_PASSWORD, context => answerOtherMethod(context, allowing(['GET'])))
}
