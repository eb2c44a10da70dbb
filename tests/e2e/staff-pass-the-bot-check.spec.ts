import { expect, type Page } from '@playwright/test'
import { devices, expectNoComplaints } from './axe.ts'
import { expectTexts } from './expect-texts.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD, readCode } from './installation.ts'
import { type CaptchaInstallation, test, V2_KEY } from './installation-with-captcha.ts'
import { addStaff } from './staff.ts'

const TOKEN_MESSAGE = 'Please complete the reCAPTCHA verification'
const checkbox = 'iframe[title="reCAPTCHA"]'
const boxIn = (page: Page) => page.frameLocator(checkbox).getByRole('checkbox')

async function logIn(page: Page, password = ADMIN_PASSWORD, email = ADMIN_EMAIL) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

async function enterCode(page: Page, captchaInstallation: CaptchaInstallation, email = ADMIN_EMAIL) {
  await expect(page.getByLabel('Verification code')).toBeVisible({ timeout: 10_000 })
  await page.getByLabel('Verification code').fill(await readCode(captchaInstallation, email))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** As somebody new: an account has five codes an hour. */
async function signInAsNewcomer(page: Page, captchaInstallation: CaptchaInstallation) {
  const mina = await addStaff(captchaInstallation, 'Mina Park')
  await logIn(page, mina.password, mina.email)
  await enterCode(page, captchaInstallation, mina.email)
}

test('a member of staff signs in, and nobody sees anything of the check', async ({
  page,
  google,
  captchaInstallation,
}) => {
  await page.goto('/auth')
  const before = captchaInstallation.siteverify.asked.length
  await logIn(page)
  await enterCode(page, captchaInstallation)
  expect(captchaInstallation.siteverify.asked.slice(before).map(({ response }) => response)).toEqual([
    expect.stringMatching(/^good-/),
  ])
  expect(google.asked.some(url => url.includes('/reload'))).toBe(true)
})

test('a member of staff ticks the box, once for each try', async ({
  page,
  google: _,
  captchaInstallation,
}) => {
  captchaInstallation.siteverify.facts = { hostname: 'localhost' }
  await captchaInstallation.set({ recaptcha_site_key: V2_KEY })
  await page.goto('/auth')
  await expect(page.locator(checkbox)).toBeVisible()
  await logIn(page)
  const group = page.getByRole('group', { name: 'Proof that you are a person' })
  await expectTexts(group, '/auth', 'Please complete the reCAPTCHA verification')
  await expect(group).toBeFocused()

  await boxIn(page).click()
  await expect(group.locator('.field-error')).toHaveCount(0)
  await logIn(page, 'not the password')
  await expect(page.getByText('Login Failed', { exact: true })).toBeVisible()
  await expect(page.getByText('Check the email address and the password.')).toBeVisible()
  await expect(boxIn(page)).not.toBeChecked()

  captchaInstallation.siteverify.errors = ['timeout-or-duplicate']
  await boxIn(page).click()
  await logIn(page)
  await expect(group.locator('.field-error')).toHaveText(TOKEN_MESSAGE)
  await expect(page.locator('#toast')).toContainText(TOKEN_MESSAGE)
  await expect(boxIn(page)).not.toBeChecked()
  captchaInstallation.siteverify.errors = null
  await boxIn(page).click()
  await expect(boxIn(page)).toBeChecked()
  await logIn(page)
  await enterCode(page, captchaInstallation)
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
    await logIn(page, `guess ${guess}`, 'nobody@agency.test')
    expect((await replied).status()).toBe(401)
    await expect(page.getByRole('button', { name: 'Login' })).toHaveAttribute('aria-disabled', 'false')
  }
  await logIn(page, 'guess 4', 'nobody@agency.test')
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

for (const { device, viewport } of devices)
  test.describe(`on a ${device}`, () => {
    test.use({ viewport })

    test('the box and its error are for everyone', async ({ page, google: _, captchaInstallation }) => {
      await captchaInstallation.set({ recaptcha_site_key: V2_KEY })
      await page.goto('/auth')
      await expect(page.locator(checkbox)).toBeVisible()
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.locator('.field-error')).toHaveText([
        'Please enter a valid email address',
        TOKEN_MESSAGE,
      ])
      // What is in Google's frame is Google's.
      await expectNoComplaints(page, { without: checkbox })
    })
  })
