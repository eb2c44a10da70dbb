import { expect, type Page } from '@playwright/test'
import { openDatabase } from '../../src/database/open.ts'
import { expectTexts, toast } from './expect-texts.ts'
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Installation,
  readCode,
  signInByHand,
  testApart,
} from './installation.ts'
import { addStaff } from './staff.ts'

/** Apart, because an account may have only five codes an hour. */
const test = testApart()

async function logIn(page: Page, password = ADMIN_PASSWORD, email = ADMIN_EMAIL) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

async function enterCode(page: Page, code: string) {
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

async function logOut(page: Page) {
  await page.getByRole('banner').getByText('Administrator').click()
  await page.getByRole('button', { name: 'Logout' }).click()
}

test('a member of staff asks for another code, mistypes it and signs in', async ({ page, installation }) => {
  await page.clock.install()
  await page.goto('/auth?next=/messages%3FisRead=false')
  await expectTexts(page.getByRole('main'), '/auth', 'Login')
  await logIn(page)
  await expect(toast(page)).toContainText('Verification Required')
  const first = await readCode(installation)

  await enterCode(page, '12345')
  await expect(page.locator('.field-error')).toHaveText('Verification code must be 6 digits')
  await enterCode(page, first === '000000' ? '000001' : '000000')
  await expectTexts(toast(page), '/auth', 'Verification Failed', 'Verification failed')

  // The browser's minute is over, the server's is not.
  const again = page.getByRole('button', { name: 'Send another code', exact: true })
  await page.clock.runFor(61_000)
  await again.click()
  await expectTexts(toast(page), '/auth', 'Failed to Resend Code')
  await expect(toast(page)).toContainText('Please wait a minute before asking for another code.')

  await letAMinutePass(installation)
  await page.clock.runFor(61_000)
  installation.mailServer.behaviour = 'refuse'
  await again.click()
  await expectTexts(toast(page), '/auth', 'Failed to resend code')
  installation.mailServer.release()
  await letAMinutePass(installation)
  await page.clock.runFor(61_000)
  await again.click()
  await expectTexts(toast(page), '/auth', 'Code Sent', 'A new verification code has been sent to your email.')
  await enterCode(page, await readCode(installation))
  await expect(page).toHaveURL(/\/messages\?isRead=false$/)
  await expect(toast(page)).toContainText('Verification Successful')
  await expect(toast(page)).toContainText('Welcome back, Administrator!')
})

test('a member of staff on a device they trust needs no code the next time', async ({
  page,
  installation,
}) => {
  await page.goto('/login')
  await logIn(page)
  await page.getByLabel('Trust this device for 30 days').check()
  await enterCode(page, await readCode(installation))
  await expect(page).toHaveURL(/\/dashboard$/)
  await logOut(page)
  await expectTexts(toast(page), 'the header', 'Logout Successful', 'You have been logged out.')
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/auth')
  await logIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectTexts(toast(page), '/auth', 'Login Successful', 'Welcome back, {name}!')
  await expect(toast(page)).toContainText('Welcome back, Administrator!')
})

test('a member of staff sees why a sign-in failed, or a general error when the server gives no reason', async ({
  page,
  installation,
}) => {
  await page.goto('/auth')
  await logIn(page, 'not the password')
  await expectTexts(toast(page), '/auth', 'Login Failed', 'Login failed')
  await page.route('**/api/auth/login', route => route.abort(), { times: 1 })
  await logIn(page)
  await expectTexts(toast(page), '/auth', 'Network error while submitting your request. Please try again.')
  await expect(page.getByLabel('Email')).toHaveValue(ADMIN_EMAIL)
  await silence(page, 'login')
  await logIn(page)
  await expect(toast(page)).toContainText('Login failed')

  await page.clock.install()
  await logIn(page)
  const code = await readCode(installation)
  await silence(page, 'verify-2fa')
  await enterCode(page, code)
  await expect(toast(page)).toContainText('Verification failed')
  await silence(page, 'resend-2fa')
  await page.clock.runFor(61_000)
  await page.getByRole('button', { name: 'Send another code', exact: true }).click()
  await expect(toast(page)).toContainText('Failed to resend code')
  await enterCode(page, code)
  await expect(page).toHaveURL(/\/dashboard$/)

  await silence(page, 'logout')
  await logOut(page)
  await expectTexts(toast(page), 'the header', 'Logout Failed', 'Logout failed')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a person who is already signed in goes to the page they opened, and never to another site', async ({
  page,
  installation,
}) => {
  await signInByHand(page, installation, await addStaff(installation, 'Mina Park', { role: 'admin' }))
  for (const [next, place] of [
    ['', '/dashboard'],
    ['/messages?isRead=false', '/messages?isRead=false'],
    ['/settings?tab=email', '/settings?tab=email'],
    ['https://evil.test/', '/dashboard'],
    ['//evil.test/', '/dashboard'],
    ['/\\evil.test/', '/dashboard'],
    ['/\t/evil.test/', '/dashboard'],
    ['javascript:alert(1)', '/dashboard'],
  ] as const) {
    await page.goto(`/auth?next=${encodeURIComponent(next)}`)
    await expect(page).toHaveURL(installation.url + place)
  }
})

test('a person who was signed out meanwhile is redirected to the sign-in and back to the same tab', async ({
  page,
  installation,
}) => {
  const mina = await addStaff(installation, 'Mina Park', { role: 'admin' })
  await signInByHand(page, installation, mina)
  await page.goto('/settings?tab=email')
  await expect(page.getByLabel('Form email')).toBeVisible()
  await page.context().clearCookies()
  // The event stream may notice it first, and then the button is gone.
  const press = page.getByRole('button', { name: 'Send a test email' }).click({ timeout: 5000 })
  await press.catch(() => {})
  await expect(page).toHaveURL(/\/auth\?next=%2Fsettings%3Ftab%3Demail$/)
  await logIn(page, mina.password, mina.email)
  await enterCode(page, await readCode(installation, mina.email))
  await expect(page.getByLabel('Form email')).toBeVisible()
})

/** Has the next call answered with a failure that says nothing. */
async function silence(page: Page, call: string) {
  await page.route(`**/api/auth/${call}`, route => route.fulfill({ status: 500, json: {} }), { times: 1 })
}

/** Sets back the time at which the last code went, while the product runs. */
async function letAMinutePass({ data }: Installation) {
  const db = await openDatabase(data)
  const code_sent_at = new Date(Date.now() - 61_000).toISOString()
  await db.updateTable('pending_sign_ins').set({ code_sent_at }).execute()
  await db.destroy()
}
