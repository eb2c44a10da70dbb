import { after } from 'node:test'
import { enquiries } from '../../src/features/enquiry-form/contract.ts'
import type { SettingValues } from '../../src/features/settings/contract.ts'
import { openRecaptchaServer, type RecaptchaServer, SECRET_KEY } from './recaptcha-server.ts'
import { openTestApp, type TestApp } from './test-app.ts'

/** A test app with the bot check on and valid v3 keys. */
export interface TestAppWithCaptcha {
  readonly testApp: TestApp
  readonly google: RecaptchaServer
  /** A token that is valid, once. */
  newToken(): string
  /** Changes the settings of the bot check. */
  set(values: Partial<BotCheckSettings>): Promise<void>
  /** Sends an enquiry, from its own IP address unless one is passed. @returns its verification mark. */
  send(token: string | undefined, address?: string): Promise<string>
}

type BotCheckSettings = Pick<
  SettingValues,
  'recaptcha_enabled' | 'recaptcha_site_key' | 'recaptcha_secret_key' | 'recaptcha_version'
>

/** What a form sends when Google's script did not load. */
export const PLACEHOLDER = 'recaptcha_script_failed_1760000000000'

export async function openTestAppWithCaptcha(
  ...[config, dependencies]: Parameters<typeof openTestApp>
): Promise<TestAppWithCaptcha> {
  const google = await openRecaptchaServer('agency.test')
  after(() => google.close())
  google.facts = { hostname: 'agency.test', action: 'submit', score: 0.9 }
  const testApp = await openTestApp({ recaptchaVerifyUrl: google.url, ...config }, dependencies)
  const { db, settings } = testApp.services
  await settings.write('recaptcha_enabled', 'true')
  await settings.write('recaptcha_secret_key', SECRET_KEY)
  let tokens = 0
  return {
    testApp,
    google,
    newToken: () => `good-${++tokens}`,
    async set({ recaptcha_enabled, recaptcha_site_key, recaptcha_secret_key, recaptcha_version }) {
      if (recaptcha_enabled !== undefined) await settings.write('recaptcha_enabled', recaptcha_enabled)
      if (recaptcha_site_key !== undefined) await settings.write('recaptcha_site_key', recaptcha_site_key)
      if (recaptcha_secret_key !== undefined)
        await settings.write('recaptcha_secret_key', recaptcha_secret_key)
      if (recaptcha_version !== undefined) await settings.write('recaptcha_version', recaptcha_version)
    },
    async send(recaptchaToken, address) {
      const sent = await testApp.browser(address).call(enquiries.contact, { ...visitor, recaptchaToken })
      const marks = db.selectFrom('messages').select('verification')
      const { verification } = await marks.where('reference', '=', sent.reference).executeTakeFirstOrThrow()
      return verification
    },
  }
}

/** What a visitor writes in the form. */
export const visitor = {
  name: 'Ana Reyes',
  email: 'ana@example.test',
  phone: '+61 2 5550 0100',
  message: 'I would like to bring my parents to Australia.',
}

/** Long enough for started work to continue, if nothing stops it. */
export async function pause(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 30))
}
