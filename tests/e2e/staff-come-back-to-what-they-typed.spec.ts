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

test('an admin whose session ends finds a new user as they typed them, without the password', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await page.goto('/users?user=new')
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await dialog.getByLabel('Name').fill('Kim Ito')
  await dialog.getByLabel('Email').fill('kim@agency.test')
  await dialog.getByLabel('Role').selectOption('Editor')
  await dialog.getByLabel('Set a password').check()
  await dialog.getByLabel('Password', { exact: true }).fill('Quiet-Harbour-9-Lantern!')
  await deleteSession(page)
  await dialog.getByRole('button', { name: 'Add User' }).click()
  await expect(page.getByText(SENTENCE)).toBeVisible()
  expect(await kept(page)).not.toContain('Harbour')
  await signInAgain(page, installation)
  await expect(dialog.getByLabel('Name')).toHaveValue('Kim Ito')
  await expect(dialog.getByLabel('Email')).toHaveValue('kim@agency.test')
  await expect(dialog.getByLabel('Role')).toHaveValue('editor')
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('')
  expect(await kept(page)).toBeNull()
})

test('an admin whose session ends finds the token and the settings that they were typing', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await page.goto('/api-tokens')
  await page.getByRole('button', { name: 'Create Your First Token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Token' })
  await dialog.getByLabel('Description').fill('The backup')
  await dialog.getByLabel('Expiration').selectOption('7 days')
  await deleteSession(page)
  await dialog.getByRole('button', { name: 'Create Token' }).click()
  await page.locator('.api-tokens-denied').getByRole('link', { name: 'Login' }).click()
  await signInAgain(page, installation)
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
  await signInAgain(page, installation)
  await expect(page.getByLabel('Site name')).toHaveValue('Southern Cross')
  await page.getByRole('tab', { name: 'reCAPTCHA Settings' }).click()
  await expect(page.getByLabel('Site key')).toHaveValue('public-key')
  await expect(page.getByLabel('Secret key')).toHaveValue('')
})

test('someone whose session ends finds their new name, and another person does not', async ({
  page,
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
})

test('nothing of what somebody typed stays in the tab after they sign out', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await page.goto('/dashboard?profile=edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await dialog.getByLabel('Name').fill('Someone Else')
  await deleteSession(page)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText(SENTENCE)).toBeVisible()
  // Not by way of the address that brings the dialog back.
  await openDashboard(page, installation)
  expect(await kept(page)).toContain('Someone Else')
  await page.locator('summary', { hasText: 'Administrator' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('Logout Successful')).toBeVisible()
  expect(await kept(page)).toBeNull()
})

test('nobody loses what they typed in a dialog by Escape, by a click beside it or by Cancel', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await page.goto('/users')
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  const open = () => page.getByRole('button', { name: 'Add User' }).click()
  await open()
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await open()
  const name = dialog.getByLabel('Name')
  await name.fill('Kim Ito')
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
  ]
  for (const leave of ways) {
    await leave()
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(name).toHaveValue('Kim Ito')
  }
  for (let time = 0; time < 4; time++) await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(name).toHaveValue('Kim Ito')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add User' })).toBeFocused()
})

test('an admin whose session ends finds the token that they were typing after a login by the header', async ({
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
  await deleteSession(page)
  await dialog.getByRole('button', { name: 'Create Token' }).click()
  await expect(page.getByText('Access Denied')).toBeVisible()
  await expect(page.getByText(SENTENCE)).toBeVisible()
  await page.reload()
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await signInAgain(page, installation, ada)
  await expect(page).toHaveURL(new RegExp(`/api-tokens\\?user=${kim.id}$`))
  await expect(dialog.getByLabel('Description')).toHaveValue('The backup')
})
