import { expect } from '@playwright/test'
import { openDatabase } from '../../src/database/open.ts'
import { expectTexts, toast } from './expect-texts.ts'
import {
  enterCode,
  enterPassword,
  type Installation,
  logOut,
  readCode,
  signInByHand,
  testApart,
} from './installation.ts'
import { addStaff } from './staff.ts'

/** Apart, because an account may have only five codes an hour. */
const test = testApart()

test('a member of staff asks for another code, mistypes it and signs in', async ({ page, installation }) => {
  await page.clock.install()
  await page.goto('/auth?next=/messages%3FisRead=false')
  await expectTexts(page.getByRole('main'), '/auth', 'Login')
  await enterPassword(page)
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
  await expect(toast(page)).toContainText('a code of six digits was printed on the server')
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
  await enterPassword(page)
  await page.getByLabel('Trust this device for 30 days').check()
  await enterCode(page, await readCode(installation))
  await expect(page).toHaveURL(/\/dashboard$/)
  await logOut(page)
  await expectTexts(toast(page), 'the header', 'Logout Successful', 'You have been logged out.')
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/auth')
  await enterPassword(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectTexts(toast(page), '/auth', 'Login Successful', 'Welcome back, {name}!')
  await expect(toast(page)).toContainText('Welcome back, Administrator!')
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
  await enterPassword(page, mina)
  await enterCode(page, await readCode(installation, mina.email))
  await expect(page.getByLabel('Form email')).toBeVisible()
})

/** Sets back the time at which the last code went, while the product runs. */
async function letAMinutePass({ data }: Installation) {
  const db = await openDatabase(data)
  const code_sent_at = new Date(Date.now() - 61_000).toISOString()
  await db.updateTable('pending_sign_ins').set({ code_sent_at }).execute()
  await db.destroy()
}
