import { expect, type Page } from '@playwright/test'
import { expectTexts } from './expect-texts.ts'
import { openDashboard, signIn, signInByHand, test } from './installation.ts'
import { chooseRowAction } from './row-actions.ts'
import { addStaff, STAFF_PASSWORD } from './staff.ts'

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('an admin adds a user, who gets an email and can sign in', async ({ page, installation, browser }) => {
  await openDashboard(page, installation)
  await page.getByRole('link', { name: 'Manage Users' }).click()
  await expect(page).toHaveURL(/\/users$/)
  await expect(page.getByRole('columnheader')).toHaveText(['Name', 'Email', 'Role', 'Actions'])
  await expectTexts(page.locator('thead'), '/users', 'Name', 'Email', 'Role', 'Actions')
  await page.getByRole('button', { name: 'Add User' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await expect(page).toHaveURL(/\/users\?user=new$/)
  await expect(dialog.getByLabel('Role')).toHaveValue('viewer')

  const save = dialog.getByRole('button', { name: 'Add User' })
  await save.click()
  await expectTexts(
    dialog,
    '/users',
    'Name must be at least 3 characters',
    'Please enter a valid email address',
  )
  await expect(dialog.locator('.field-error')).toHaveCount(2)
  await expect(dialog.getByLabel('Name')).toBeFocused()

  await dialog.getByLabel('Set a password').check()
  const password = dialog.getByLabel('Password', { exact: true })
  const lacking = dialog.locator('.password-rules li:not([data-met])')
  async function tryPassword(text: string, lack: string) {
    await password.fill(text)
    await expect(lacking).toHaveCount(1)
    await expect(lacking).toContainText([`Password must ${lack}`])
    await save.click()
  }
  await tryPassword('Aa1!', 'be at least 8 characters')
  await expectTexts(dialog, '/users', 'Password must be at least 8 characters')
  await tryPassword('Password1!', 'not be a common one that others would guess')
  await tryPassword('KWTR1111!', 'contain at least one lowercase letter')
  await expectTexts(dialog, '/users', 'Password must contain at least one lowercase letter')
  await tryPassword('kwtr1111!', 'contain at least one uppercase letter')
  await expectTexts(dialog, '/users', 'Password must contain at least one uppercase letter')
  await tryPassword('KWTRkwtr!', 'contain at least one number')
  await expectTexts(dialog, '/users', 'Password must contain at least one number')
  await tryPassword('KWTRkwtr1', 'contain at least one special character')
  await expectTexts(dialog, '/users', 'Password must contain at least one special character')
  await password.fill(STAFF_PASSWORD)
  await expect(lacking).toHaveCount(0)
  await dialog.getByLabel('Name').fill('Kim Ito')
  await dialog.getByLabel('Email').fill('Kim.Ito@Agency.test')
  await dialog.getByLabel('Role').selectOption('Editor')
  await save.click()
  await expectTexts(page, '/users', 'User Created')
  await expect(dialog).toBeHidden()
  const row = rowOf(page, 'Kim Ito')
  await expect(row).toContainText('kim.ito@agency.test')
  await expect(row).toContainText('Editor')
  await expect(row).toContainText('Unverified')
  const isForKim = ({ recipients }: { recipients: readonly string[] }) =>
    recipients.includes('kim.ito@agency.test')
  const email = await installation.mailServer.next(isForKim)
  expect(email.text).toContain(`${installation.url}/verify-email?token=`)

  await chooseRowAction(page, 'Kim Ito', 'Resend verification email: Kim Ito')
  await expect(page.getByText('Verification Email Sent')).toBeVisible()
  await installation.mailServer.next(isForKim)
  // So soon, another press may count as the second half of a double click.
  await expect(async () => {
    await chooseRowAction(page, 'Kim Ito', 'Resend verification email: Kim Ito')
    await expect(page.getByText('Too many requests.')).toBeVisible({ timeout: 1000 })
  }).toPass()

  const other = await (await browser.newContext()).newPage()
  await signInByHand(other, installation, { email: 'kim.ito@agency.test', password: STAFF_PASSWORD })
  await other.context().close()
})

test('an admin edits a user, and only changed fields are sent', async ({ page, installation }) => {
  const { id, name, email } = await addStaff(installation, 'Ana Reyes')
  await signIn(page, installation)
  await page.goto('/users')
  await expectTexts(rowOf(page, 'Administrator'), '/users', 'Admin')
  await expectTexts(rowOf(page, name), '/users', 'Viewer')
  await page.getByRole('button', { name: `Edit: ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Ana Reyes' })
  await expect(page).toHaveURL(new RegExp(`user=${id}`))
  await expect(dialog.getByLabel('Email')).toHaveValue(email)

  const sent: unknown[] = []
  page.on('request', request => {
    if (request.method() === 'PATCH') sent.push(request.postDataJSON())
  })
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expectTexts(page, '/users', 'No Changes')
  await expect(dialog).toBeHidden()
  expect(sent).toEqual([])

  await page.goBack()
  await expect(dialog).toBeVisible()
  await page.reload()
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Role').selectOption('Editor')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expectTexts(page, '/users', 'User Updated')
  await expectTexts(rowOf(page, 'Ana Reyes'), '/users', 'Editor')
  expect(sent).toEqual([{ role: 'editor' }])

  await page.getByRole('button', { name: `Edit: ${name}` }).click()
  await dialog.getByLabel('Email').fill('admin@agency.test')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Error', { exact: true })).toBeVisible()
  await expect(page.locator('#toast')).toContainText('Another user has this email address')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: 'Edit: Administrator' }).click()
  await page.getByLabel('Role').selectOption('Viewer')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText("The default admin's role cannot be changed")).toBeVisible()
})

test('an admin is directed to Edit Profile to change their own password (B2)', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await page.goto('/users')
  await page.getByRole('button', { name: 'Edit: Administrator' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Administrator' })
  await expect(dialog.getByText('To change your own password, use Edit Profile')).toBeVisible()
  await expect(dialog.locator('input[type=password]')).toHaveCount(0)
})

test('an admin deletes a user, who is signed out immediately', async ({ page, installation, browser }) => {
  const staff = await addStaff(installation, 'Leaving Soon')
  const other = await (await browser.newContext()).newPage()
  await openDashboard(other, installation, staff)
  await signIn(page, installation)
  await page.goto('/users')
  await expect(rowOf(page, 'Administrator').getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete: Leaving Soon' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete User' })
  await expectTexts(
    question,
    '/users',
    'Are you sure you want to delete {name}? This action cannot be undone.',
  )
  await expect(question).toContainText('delete Leaving Soon?')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectTexts(page, '/users', 'User Deleted')
  await expect(rowOf(page, 'Leaving Soon')).toHaveCount(0)
  await other.reload()
  await expect(other).toHaveURL(/\/auth\?next=/)
  await other.context().close()
})
