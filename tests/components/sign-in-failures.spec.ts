import { expect, type Page } from '@playwright/test'
import { expectTexts, toast } from '../e2e/expect-texts.ts'
import { ADMIN_EMAIL, enterCode, enterPassword, logOut, readCode, testApart } from '../e2e/installation.ts'

/** Apart, because an account may have only five codes an hour. */
const test = testApart()

test('a member of staff sees why a sign-in failed, or a general error when the server gives no reason', async ({
  page,
  installation,
}) => {
  await page.goto('/auth')
  await enterPassword(page, { password: 'not the password' })
  await expectTexts(toast(page), '/auth', 'Login Failed', 'Login failed')
  await page.route('**/api/auth/login', route => route.abort(), { times: 1 })
  await enterPassword(page)
  await expectTexts(toast(page), '/auth', 'Network error while submitting your request. Please try again.')
  await expect(page.getByLabel('Email')).toHaveValue(ADMIN_EMAIL)
  await silence(page, 'login')
  await enterPassword(page)
  await expect(toast(page)).toContainText('Login failed')

  await page.clock.install()
  await enterPassword(page)
  const code = await readCode(installation)
  await silence(page, 'verify-2fa')
  await enterCode(page, code)
  await expect(toast(page)).toContainText('Verification failed')
  await silence(page, 'resend-2fa')
  await page.clock.runFor(61_000)
  await page.getByRole('button', { name: 'Send another code', exact: true }).click()
  await expectTexts(toast(page), '/auth', 'Failed to resend code')
  await enterCode(page, code)
  await expect(page).toHaveURL(/\/dashboard$/)

  await silence(page, 'logout')
  await logOut(page)
  await expectTexts(toast(page), 'the header', 'Logout Failed', 'Logout failed')
  await expect(page).toHaveURL(/\/dashboard$/)
})

/** Has the next call answered with a failure that says nothing. */
async function silence(page: Page, call: string) {
  await page.route(`**/api/auth/${call}`, route => route.fulfill({ status: 500, json: {} }), { times: 1 })
}
