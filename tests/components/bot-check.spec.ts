import { expect } from '@playwright/test'
import {
  fillForm,
  readReference,
  readVerification,
  sendButton,
  test,
} from '../e2e/installation-with-captcha.ts'
import { timeOf } from '../e2e/time-of.ts'

const TOKEN_MESSAGE = 'Please complete the reCAPTCHA verification'

test('a visitor whose token did not count sends again with a new one', async ({
  page,
  google,
  captchaInstallation,
}) => {
  captchaInstallation.siteverify.errors = ['timeout-or-duplicate']
  await page.goto('/contact')
  await fillForm(page)
  await sendButton(page).click()
  await expect(page.locator('.captcha .field-error')).toHaveText(TOKEN_MESSAGE)
  await expect(page.locator('.error-summary')).toBeFocused()
  await expect(page.locator('.error-summary').getByRole('link')).toHaveText(['Proof that you are a person'])
  await expect(page.locator('#toast')).toContainText('Submission Failed')
  captchaInstallation.siteverify.errors = null
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
  const [first, second] = captchaInstallation.siteverify.asked.slice(-2)
  expect(first?.response).not.toBe(second?.response)
  expect(google.asked.filter(url => url.includes('/api.js'))).toHaveLength(1)
})

test('a visitor on a line that drops twice is verified at the third try', async ({
  page,
  google,
  captchaInstallation,
}) => {
  google.rejections = 2
  await page.goto('/')
  await fillForm(page)
  await sendButton(page).click()
  await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible()
  const started = Date.now()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
  expect(Date.now() - started).toBeGreaterThan(1500)
})

test('a visitor whose page cannot ask how the check is set up is verified all the same', async ({
  page,
  google: _,
  captchaInstallation,
}) => {
  await page.route('**/api/public/recaptcha', route => route.fulfill({ status: 500, body: 'Sorry' }))
  await page.goto('/')
  await fillForm(page)
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
})

test('a visitor whose page waits in vain for how the check is set up is verified within seconds', async ({
  page,
  google: _,
  captchaInstallation,
}) => {
  await page.route('**/api/public/recaptcha', () => {})
  const opening = await timeOf(() => page.goto('/'))
  await fillForm(page)
  const sending = await timeOf(async () => {
    await sendButton(page).click()
    expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
  })
  expect(sending).toBeLessThan(4500 + 3 * opening)
})

test('a visitor who is writing before the page is ready has a token soon after', async ({ page, google }) => {
  await page.route('**/assets/form-*.js', async route => {
    await page.getByLabel('Your name').focus()
    await route.continue()
  })
  await page.goto('/')
  await expect(() => expect(google.asked.length).toBeGreaterThan(0)).toPass({ timeout: 5000 })
})

test('a visitor of an installation without the check meets nothing of Google', async ({
  page,
  google,
  captchaInstallation,
}) => {
  await captchaInstallation.set({ recaptcha_enabled: 'false' })
  const response = await page.goto('/')
  expect(response?.headers()['content-security-policy']).not.toContain('google')
  const sent = page.waitForRequest('**/api/contact')
  await fillForm(page)
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('off')
  expect((await sent).postDataJSON().recaptchaToken).toBe('recaptcha_disabled')
  expect(google.asked).toEqual([])
})

test('the page that verifies an address names no host of Google, though the bot check is on', async ({
  page,
  google: _,
}) => {
  const hosts = new Set<string>()
  page.on('request', request => hosts.add(new URL(request.url()).host))
  const signIn = await page.request.get('/auth')
  expect(signIn.headers()['content-security-policy']).toContain('google')
  const verify = await page.goto('/verify-email?token=x')
  expect(verify?.headers()['content-security-policy']).not.toMatch(/google|gstatic|https?:/)
  await expect(page.getByText('Invalid verification token')).toBeVisible()
  expect([...hosts]).toEqual([new URL(page.url()).host])
})
