import { expect, type Page } from '@playwright/test'
import { enterMailedCode, enterPassword } from '../e2e/installation.ts'
import { type CaptchaInstallation, test } from '../e2e/installation-with-captcha.ts'
import { addStaff } from '../e2e/staff.ts'

const TOKEN_MESSAGE = 'Please complete the reCAPTCHA verification'

/** As somebody new: an account has five codes an hour. */
async function signInAsNewcomer(page: Page, captchaInstallation: CaptchaInstallation) {
  const mina = await addStaff(captchaInstallation, 'Mina Park')
  await enterPassword(page, mina)
  await enterMailedCode(page, captchaInstallation, mina.email)
}

test('a member of staff signs in, and nobody sees anything of the check', async ({
  page,
  google,
  captchaInstallation,
}) => {
  await page.goto('/auth')
  const before = captchaInstallation.siteverify.asked.length
  await enterPassword(page)
  await enterMailedCode(page, captchaInstallation)
  expect(captchaInstallation.siteverify.asked.slice(before).map(({ response }) => response)).toEqual([
    expect.stringMatching(/^good-/),
  ])
  expect(google.asked.some(url => url.includes('/reload'))).toBe(true)
})

for (const [what, fault] of [
  ['is blocked', { script: 'fails' }],
  ['never answers', { script: 'hangs' }],
  ['gives no token', { execute: 'rejects' }],
] as const)
  test(`a member of staff for whom Google ${what} signs in all the same`, async ({
    page,
    google,
    captchaInstallation,
  }) => {
    Object.assign(google, fault)
    await page.goto('/auth')
    const before = captchaInstallation.siteverify.asked.length
    await signInAsNewcomer(page, captchaInstallation)
    expect(captchaInstallation.siteverify.asked.length).toBe(before)
  })

test('password guesses without the bot check get an error after three attempts', async ({ page, google }) => {
  google.script = 'fails'
  await page.goto('/auth')
  for (let guess = 1; guess <= 3; guess++) {
    const replied = page.waitForResponse('**/api/auth/login')
    await enterPassword(page, { email: 'nobody@agency.test', password: `guess ${guess}` })
    expect((await replied).status()).toBe(401)
    await expect(page.getByRole('button', { name: 'Login' })).toHaveAttribute('aria-disabled', 'false')
  }
  await enterPassword(page, { email: 'nobody@agency.test', password: 'guess 4' })
  await expect(page.locator('.captcha .field-error')).toHaveText(TOKEN_MESSAGE)
  await expect(page.getByText('Google’s check did not load in this browser.')).toBeVisible()
})

test('while the check is off, the sign-in asks Google for nothing and its policy does not name it', async ({
  page,
  google,
  captchaInstallation,
}) => {
  await captchaInstallation.set({ recaptcha_enabled: 'false' })
  const response = await page.goto('/auth')
  expect(response?.headers()['content-security-policy']).not.toContain('google')
  await signInAsNewcomer(page, captchaInstallation)
  expect(google.asked).toEqual([])
})

test('a member of staff whose browser hears nothing of the settings of the check is checked by the key of the page', async ({
  page,
  google,
  captchaInstallation,
}) => {
  await page.route('**/api/public/recaptcha', route => route.abort())
  await page.goto('/auth')
  await signInAsNewcomer(page, captchaInstallation)
  expect(google.asked[0]).toContain('/recaptcha/api.js?render=6LcStandIn')
})

test('staff meet Google at the sign-in only, and only while the check is on', async ({
  captchaInstallation,
}) => {
  const policyOf = async (path: string) =>
    (await fetch(captchaInstallation.url + path)).headers.get('content-security-policy')
  expect(await policyOf('/auth')).toContain('https://www.google.com/recaptcha/')
  expect(await policyOf('/dashboard')).not.toContain('google')
  await captchaInstallation.set({ recaptcha_enabled: 'false' })
  // The change was made beside the server, so a page that it had cached may last for another second.
  await expect(async () => expect(await policyOf('/auth')).not.toContain('google')).toPass()
  expect(await policyOf('/auth')).toContain("require-trusted-types-for 'script'")
})
