import { after } from 'node:test'
import { type Office, openOffice } from './office.ts'
import { openRecaptchaServer, type RecaptchaServer, SECRET_KEY } from './recaptcha-server.ts'

/** An office whose bot check is on, with v3 keys that are right. */
export interface GuardedOffice {
  readonly office: Office
  readonly google: RecaptchaServer
  /** A token that is right, once. */
  newToken(): string
}

/** What a form sends when Google's script did not load. */
export const PLACEHOLDER = 'recaptcha_script_failed_1760000000000'

export async function openGuardedOffice(): Promise<GuardedOffice> {
  const google = await openRecaptchaServer('agency.test')
  after(() => google.close())
  google.facts = { hostname: 'agency.test', action: 'submit', score: 0.9 }
  const office = await openOffice({ recaptchaVerifyUrl: google.url })
  await office.services.settings.write('recaptcha_enabled', 'true')
  await office.services.settings.write('recaptcha_secret_key', SECRET_KEY)
  let tokens = 0
  return { office, google, newToken: () => `good-${++tokens}` }
}

/** What a visitor writes in the form. */
export const visitor = {
  name: 'Ana Reyes',
  email: 'ana@example.test',
  phone: '+61 2 5550 0100',
  message: 'I would like to bring my parents to Australia.',
}

/** Waits up to five seconds for something to be so. @throws when it does not become so. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 5000
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`In vain: ${isSo}`)
    await pause()
  }
}

/** Long enough for what has been begun to go on, were it allowed to. */
export async function pause(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 30))
}
