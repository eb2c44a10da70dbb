import { expect, type Page } from '@playwright/test'
import { expectTexts } from './expect-texts.ts'
import { enterMailedCode, enterPassword } from './installation.ts'
import { test, tick, V2_KEY } from './installation-with-captcha.ts'

const TOKEN_MESSAGE = 'Please complete the reCAPTCHA verification'
const checkbox = 'iframe[title="reCAPTCHA"]'
const boxIn = (page: Page) => page.frameLocator(checkbox).getByRole('checkbox')

test('a member of staff ticks the box, once for each try', async ({
  page,
  google: _,
  captchaInstallation,
}) => {
  captchaInstallation.siteverify.facts = { hostname: 'localhost' }
  await captchaInstallation.set({ recaptcha_site_key: V2_KEY })
  await page.goto('/auth')
  await expect(page.locator(checkbox)).toBeVisible()
  const group = page.getByRole('group', { name: 'Proof that you are a person' })
  await enterPassword(page, { email: '', password: '' })
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await expect(group.locator('.field-error')).toHaveText(TOKEN_MESSAGE)
  await enterPassword(page)
  await expectTexts(group, '/auth', 'Please complete the reCAPTCHA verification')
  await expect(group).toBeFocused()

  await tick(page, boxIn(page))
  await expect(group.locator('.field-error')).toHaveCount(0)
  await enterPassword(page, { password: 'not the password' })
  await expect(page.getByText('Login Failed', { exact: true })).toBeVisible()
  await expect(page.getByText('Check the email address and the password.')).toBeVisible()
  await expect(boxIn(page)).not.toBeChecked()

  captchaInstallation.siteverify.errors = ['timeout-or-duplicate']
  await tick(page, boxIn(page))
  await enterPassword(page)
  await expect(group.locator('.field-error')).toHaveText(TOKEN_MESSAGE)
  await expect(page.locator('#toast')).toContainText(TOKEN_MESSAGE)
  await expect(boxIn(page)).not.toBeChecked()
  captchaInstallation.siteverify.errors = null
  await tick(page, boxIn(page))
  await enterPassword(page)
  await enterMailedCode(page, captchaInstallation)
})
