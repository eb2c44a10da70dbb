import { expect, type Page } from '@playwright/test'
import {
  enterPassword,
  type Installation,
  openDashboard,
  readCode,
  signIn,
  testApart,
} from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const SENTENCE = 'Your session has ended; sign in again and what you typed will be there.'
const admin = { email: 'admin@agency.test', password: 'Correct-Horse-7-Staple!' }

const deleteSession = (page: Page) => page.context().clearCookies()

/** By the form that the page shows already. */
async function signInAgain(page: Page, installation: Installation, who = admin) {
  await expect(page.getByText(SENTENCE)).toBeVisible()
  await enterPassword(page, who)
  await page.getByLabel('Verification code').fill(await readCode(installation, who.email))
  await page.getByRole('button', { name: 'Verify' }).click()
}

const kept = (page: Page) => page.evaluate(() => sessionStorage.getItem('landfall-typed'))

test('an admin whose session ends finds the token and the settings that they were typing, also after a login by the header', async ({
  page,
  installation,
}) => {
  const kim = await addStaff(installation, 'Kim Ito')
  const ada = await addStaff(installation, 'Ada Rossi', { role: 'admin' })
  await signIn(page, installation, ada)
  await page.goto(`/api-tokens?user=${kim.id}`)
  await page.getByRole('button', { name: 'Create Your First Token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Token' })
  await dialog.getByLabel('Description').fill('The backup')
  await dialog.getByLabel('Expiration').selectOption('7 days')
  await deleteSession(page)
  await dialog.getByRole('button', { name: 'Create Token' }).click()
  await expect(page.getByText('Access Denied')).toBeVisible()
  await expect(page.getByText(SENTENCE)).toBeVisible()
  await page.reload()
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await signInAgain(page, installation, ada)
  await expect(page).toHaveURL(new RegExp(`/api-tokens\\?user=${kim.id}$`))
  await expect(dialog.getByLabel('Description')).toHaveValue('The backup')
  await expect(dialog.getByLabel('Expiration')).toHaveValue('7')

  await page.goto('/settings?tab=recaptcha')
  await page.getByLabel('Site key').fill('public-key')
  await page.getByLabel('Secret key').fill('secret-key')
  await page.getByRole('tab', { name: 'General Settings' }).click()
  await page.getByLabel('Site name').fill('Southern Cross')
  await deleteSession(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText(SENTENCE)).toBeVisible()
  expect(await kept(page)).not.toContain('secret-key')
  await signInAgain(page, installation, ada)
  await expect(page.getByLabel('Site name')).toHaveValue('Southern Cross')
  await page.getByRole('tab', { name: 'reCAPTCHA Settings' }).click()
  await expect(page.getByLabel('Site key')).toHaveValue('public-key')
  await expect(page.getByLabel('Secret key')).toHaveValue('')
})

test('someone whose session ends finds their new name, another person does not, and nothing stays in any tab after a logout', async ({
  page,
  context,
  installation,
}) => {
  const mina = await addStaff(installation, 'Mina Park')
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  const typeName = async () => {
    await page.goto('/dashboard?profile=edit')
    await dialog.getByLabel('Name').fill('Mina Roth')
    await deleteSession(page)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
  }
  await signIn(page, installation, mina)
  await typeName()
  await signInAgain(page, installation, mina)
  await expect(dialog.getByLabel('Name')).toHaveValue('Mina Roth')
  await typeName()
  await signInAgain(page, installation)
  await expect(dialog.getByLabel('Name')).toHaveValue('Administrator')
  expect(await kept(page)).toBeNull()

  // Not by way of the address that brings the dialog back.
  await typeName()
  await expect(page.getByText(SENTENCE)).toBeVisible()
  await openDashboard(page, installation)
  expect(await kept(page)).toContain('Mina Roth')
  const other = await context.newPage()
  // Without the event stream, which notices it sooner.
  await other.route('**/api/events', route => route.abort())
  await other.goto(`${installation.url}/users`)
  await expect(other.getByRole('heading', { name: 'Users' })).toBeVisible()
  await page.bringToFront()
  await page.locator('summary', { hasText: 'Administrator' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('Logout Successful')).toBeVisible()
  expect(await kept(page)).toBeNull()
  await expect(other.getByRole('heading', { name: 'Users' })).toBeVisible()
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(other).toHaveURL(/\/auth\?next=%2Fusers$/)
})
