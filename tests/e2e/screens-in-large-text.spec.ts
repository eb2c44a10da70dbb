import { expect, type Page } from '@playwright/test'
import { createToken } from './api-tokens.ts'
import { enterPassword, openDashboard, signIn, testApart } from './installation.ts'
import { enlargeText, expectRoomForLargeText, LARGE_TEXT } from './large-text.ts'
import { chooseRowAction } from './row-actions.ts'
import { addStaff } from './staff.ts'

const test = testApart()

/** Long enough for more than one line of a phone, and with a word that is itself longer than one. */
const LONG_NAME = 'Bartholomew Featherstonehaugh-Cholmondeley of the Northern Districts'

test.use({ viewport: LARGE_TEXT, reducedMotion: 'reduce' })
test.beforeEach(({ page }) => enlargeText(page))
test.beforeEach(() => test.slow(true, 'each screen is measured in several states'))

test('the sign-in has room for text of twice the size on a phone', async ({ page, installation }) => {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.locator('.field-error').first()).toBeVisible()
  await expectRoomForLargeText(page)
  await enterPassword(page, await addStaff(installation, LONG_NAME))
  await expect(page.getByLabel('Verification code')).toBeVisible()
  await expectRoomForLargeText(page)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.locator('.field-error')).toBeVisible()
  await expectRoomForLargeText(page)
  await page.goto('/verify-email?token=x')
  await expect(page.getByText('Invalid verification token')).toBeVisible()
  await expectRoomForLargeText(page)
  for (const path of ['/forgot-password', '/set-password']) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: /Back to the sign-in|Forgot password/ })).toBeVisible()
    await expectRoomForLargeText(page)
  }
  await page.goto('/api-tokens')
  await expect(page.getByText('Access Denied')).toBeVisible()
  await expectRoomForLargeText(page)
})

test('the dashboard, the menus, the profile and the users have room for text of twice the size', async ({
  page,
  installation,
}) => {
  await addStaff(installation, LONG_NAME, { email_verified: 0 })
  await openDashboard(page, installation)
  await expect(page.locator('.dashboard-profile-name')).toBeVisible()
  await expectRoomForLargeText(page)
  for (const menu of await page.locator('header summary').filter({ visible: true }).all()) {
    await menu.click()
    await expectRoomForLargeText(page)
  }
  await page.keyboard.press('Escape')
  await page.locator('main').click({ position: { x: 5, y: 5 } })
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await expect(page.locator('.profile-session').first()).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('Passw0rd!')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.locator('.field-error').first()).toBeVisible()
  await expectRoomForLargeText(page)

  await open(page, '/users')
  await expect(page.locator('.users')).toBeVisible()
  await expectRoomForLargeText(page)
  for (const name of [`Edit: ${LONG_NAME}`, `Delete: ${LONG_NAME}`]) {
    await chooseRowAction(page, LONG_NAME, name)
    await expectRoomForLargeText(page)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Add User' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click()
  await expect(page.locator('.field-error').first()).toBeVisible()
  await expectRoomForLargeText(page)
})

test('the messages and the logs have room for text of twice the size', async ({ page, installation }) => {
  await signIn(page, installation)
  await open(page, '/messages')
  await expect(page.getByText('No messages found')).toBeVisible()
  await expectRoomForLargeText(page)
  installation.run('seed', ['--messages', '40', '--logs', '40', '--users', '5', '--yes'])
  await open(page, '/messages')
  await expect(page.locator('.table tbody tr').first()).toBeVisible()
  await expectRoomForLargeText(page)
  await page.locator('.table tbody tr .inbox-name a').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectRoomForLargeText(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expectRoomForLargeText(page)

  await open(page, '/logs')
  await expect(page.locator('.table tbody tr').first()).toBeVisible()
  await expectRoomForLargeText(page)
  await page
    .getByRole('button', { name: /View Details/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectRoomForLargeText(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete Old Logs' }).click()
  await expectRoomForLargeText(page)
})

test('the settings and the API tokens have room for text of twice the size', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await open(page, '/settings')
  for (const name of ['General Settings', 'Email Settings', 'reCAPTCHA Settings', 'Email Integration']) {
    await page.getByRole('tab', { name }).click()
    await expectRoomForLargeText(page)
    const field = page.locator('.tab-panel input:not([type="checkbox"])').first()
    await field.evaluate(input => input.removeAttribute('maxlength'))
    await field.fill('ж'.repeat(300))
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.locator('.field-error').first()).toBeVisible()
    await expectRoomForLargeText(page)
  }
  await page.getByRole('tab', { name: 'Email Settings' }).click()
  for (const provider of ['Google Workspace', 'Microsoft 365', 'Another mail server']) {
    await page.getByRole('radio', { name: provider }).check()
    await page.getByRole('button', { name: 'Save mail provider' }).click()
    await expect(page.locator('.settings-mail .field-error').first()).toBeVisible()
    await expectRoomForLargeText(page)
  }
  await page.locator('a[href="/messages"]').first().dispatchEvent('click')
  await expect(page.getByRole('alertdialog', { name: 'Unsaved changes' })).toBeVisible()
  await expectRoomForLargeText(page)
  await page.getByRole('button', { name: 'Leave without saving' }).click()

  await open(page, '/api-tokens?tab=documentation')
  await expectRoomForLargeText(page)
  await open(page, '/api-tokens')
  await expectRoomForLargeText(page)
  await createToken(page, 'Shows the newest enquiries on the screen at the reception desk')
  await expectRoomForLargeText(page)
  await page
    .getByRole('button', { name: /Revoke/ })
    .first()
    .click()
  await expectRoomForLargeText(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Create Token' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectRoomForLargeText(page)
})

/** Opens a screen and waits until its lists are there. */
async function open(page: Page, address: string) {
  await page.goto(address)
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
