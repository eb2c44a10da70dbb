import { expect, type Locator, type Page } from '@playwright/test'
import { openDatabase } from '../../src/database/open.ts'
import type { StoredValues } from '../../src/features/settings/contract.ts'
import { openRecaptchaServer, type RecaptchaServer, SECRET_KEY } from '../support/recaptcha-server.ts'
import { type Google, standInForGoogle } from './google.ts'
import { test as base, type Installation, openInstallation, openSettingsBeside } from './installation.ts'

/** As long as a real one: the version is detected from the length. */
export const V3_KEY = '6LcStandInForAKeyOfVersionThreeAAAAAAAAA'
export const V2_KEY = 'a-key-that-is-short-enough-for-v2'

/** An installation whose bot check is on and asks a stand-in for Google's server. */
export interface CaptchaInstallation extends Installation {
  readonly siteverify: RecaptchaServer
  /** Changes settings of the bot check, and waits until the pages are rendered again. */
  set(values: Partial<StoredValues>): Promise<void>
}

async function openCaptchaInstallation() {
  const siteverify = await openRecaptchaServer('localhost')
  const installation = await openInstallation({ RECAPTCHA_VERIFY_URL: siteverify.url })
  return {
    ...installation,
    siteverify,
    set: (values: Partial<StoredValues>) => writeSettings(installation, values),
    async close() {
      await installation.close()
      await siteverify.close()
    },
  }
}

/** Each test gets its worker's installation with valid v3 keys, and its own IP address. */
export const test = base.extend<{
  captchaInstallation: CaptchaInstallation
  google: Google
  violations: string[]
  ready: undefined
}>({
  captchaInstallation: async ({ keep }, use) => use(await keep(openCaptchaInstallation)),
  baseURL: async ({ captchaInstallation }, use) => use(captchaInstallation.url),
  google: async ({ page }, use) => use(await standInForGoogle(page)),
  /** What the page's policy has refused, also in frames and before a reload. */
  violations: async ({ page }, use) => {
    const violations: string[] = []
    await page.exposeFunction('recordViolation', (what: string) => violations.push(what))
    await page.addInitScript(() => {
      const { recordViolation } = window as object as { recordViolation: (what: string) => void }
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        recordViolation(`${violatedDirective} ${blockedURI}`),
      )
    })
    await use(violations)
    expect(violations).toEqual([])
  },
  ready: [
    async ({ page, captchaInstallation, violations: _ }, use) => {
      await page.setExtraHTTPHeaders({ 'X-Forwarded-For': `198.51.100.${++visitors}` })
      captchaInstallation.siteverify.facts = { hostname: 'localhost', action: 'submit', score: 0.9 }
      captchaInstallation.siteverify.errors = null
      await captchaInstallation.set({
        recaptcha_enabled: 'true',
        recaptcha_site_key: V3_KEY,
        recaptcha_secret_key: SECRET_KEY,
        recaptcha_version: 'auto',
      })
      await use(undefined)
    },
    { auto: true },
  ],
})

let visitors = 0

/** Writes to the database directly: these tests are not about the settings screen, which would reject some states. */
export async function writeSettings({ url, data }: Installation, values: Partial<StoredValues>) {
  const { db, settings } = await openSettingsBeside(data)
  await settings.writeTogether(values)
  const { recaptcha_enabled, recaptcha_site_key } = await settings.publicValues()
  await db.destroy()
  await expect(async () => {
    for (const path of ['/', '/auth']) {
      const page = await fetch(`${url}${path}`)
      const policy = page.headers.get('content-security-policy') ?? ''
      expect(policy.includes('google')).toBe(recaptcha_enabled === 'true')
    }
    const texts = await (await fetch(`${url}/contact/form.json`)).text()
    expect(texts).toContain(recaptcha_site_key)
  }).toPass({ intervals: [50], timeout: 15_000 })
}

/** How the enquiry with this reference is marked. */
export async function readVerification({ data }: Installation, reference: string): Promise<string> {
  const db = await openDatabase(data)
  const marks = db.selectFrom('messages').select('verification').where('reference', '=', reference)
  const { verification } = await marks.executeTakeFirstOrThrow()
  await db.destroy()
  return verification
}

/** Waits until the form's script runs. */
export async function waitForForm(page: Page) {
  await expect(page.locator('[data-island="enquiry-form"][data-live]')).toBeVisible()
}

/** What the form says while a draft is kept. */
export const KEPT = 'A draft is kept on this device until you send it.'

export const readDraft = (page: Page) => page.evaluate(() => localStorage.getItem('landfall-enquiry'))

/** Writes a complete enquiry. */
export async function fillForm(page: Page, name = 'Li Wei') {
  await waitForForm(page)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email').fill('li.wei@example.com')
  await page.getByLabel('Phone').fill('+86 138 0013 8000')
  await page.getByLabel('Service').selectOption('Skilled Migration')
  await page.getByLabel('Message').fill('I am a nurse in Chengdu and hope to work in Perth.')
}

export const sendButton = (page: Page) => page.getByRole('button', { name: 'Send enquiry' })

/**
 * Ticks the box of the bot check, and waits until the page has the new token. Without a mouse, which would miss a box in a frame
 * while the page scrolls: what a press does in there is Google's.
 */
export async function tick(page: Page, box: Locator) {
  const token = page.locator('[name="g-recaptcha-response"]')
  const before = await token.inputValue()
  await box.dispatchEvent('click')
  await expect(token).not.toHaveValue(before)
}

/** The reference that the page shows once the enquiry is received. */
export async function readReference(page: Page): Promise<string> {
  const reference = page.locator('.enquiry-form-received .reference')
  await expect(reference).toBeVisible({ timeout: 10_000 })
  return await reference.innerText()
}
