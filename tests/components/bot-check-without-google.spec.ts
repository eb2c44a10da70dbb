import { expect } from '@playwright/test'
import {
  fillForm,
  readReference,
  readVerification,
  sendButton,
  test,
} from '../e2e/installation-with-captcha.ts'
import { timeOf } from '../e2e/time-of.ts'

const faults = [
  { what: 'is blocked', fault: { script: 'fails' }, mark: 'script_failed' },
  { what: 'never answers', fault: { script: 'hangs' }, mark: 'script_failed' },
  { what: 'sends an empty script', fault: { script: 'brings nothing' }, mark: 'unavailable' },
  { what: 'has a script that breaks', fault: { execute: 'throws' }, mark: 'error' },
  { what: 'gives no token', fault: { execute: 'rejects' }, mark: 'failed_after_retries' },
  { what: 'keeps silent when asked', fault: { execute: 'hangs' }, mark: 'failed_after_retries' },
] as const

for (const { what, fault, mark } of faults) {
  test(`a visitor for whom Google ${what} sends an enquiry within seconds, and it is marked`, async ({
    page,
    google,
    captchaInstallation,
  }) => {
    Object.assign(google, fault)
    const opening = await timeOf(() => page.goto('/'))
    await fillForm(page)
    const sent = page.waitForRequest('**/api/contact')
    let reference = ''
    const sending = await timeOf(async () => {
      await sendButton(page).click()
      reference = await readReference(page)
    })
    expect(sending).toBeLessThan(4500 + 3 * opening)
    expect(await readVerification(captchaInstallation, reference)).toBe(`unverified:${mark}`)
    expect((await sent).postDataJSON().recaptchaToken).toMatch(new RegExp(`^recaptcha_${mark}_\\d{13}$`))
  })
}

test('a visitor of an installation without a site key sends an enquiry, and it is marked', async ({
  page,
  google,
  captchaInstallation,
}) => {
  const recaptcha = { siteKey: '', enabled: true, version: 'v3' }
  await page.route('**/api/public/recaptcha', route => route.fulfill({ json: { success: true, recaptcha } }))
  await page.goto('/')
  await fillForm(page)
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe(
    'unverified:unavailable',
  )
  expect(google.asked).toEqual([])
})

test('a visitor for whom Google was blocked a moment ago is verified at the next try', async ({
  page,
  google,
  captchaInstallation,
}) => {
  google.script = 'fails'
  await page.goto('/')
  await fillForm(page)
  await page.route('**/api/contact', route => route.abort(), { times: 1 })
  await sendButton(page).click()
  await expect(page.locator('.error-summary')).toContainText('Network error when submitting your request.')
  google.script = 'comes'
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
})
