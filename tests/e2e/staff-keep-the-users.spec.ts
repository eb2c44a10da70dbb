import { expect, type Page } from '@playwright/test'
import { STAFF_PASSWORD } from '../support/staff.ts'
import { expectTexts } from './expect-texts.ts'
import { openDashboard, signInByHand, test } from './installation.ts'
import { chooseRowAction } from './row-actions.ts'

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('an admin adds a user, who gets an email and can sign in, and who is signed out at once when they are deleted', async ({
  page,
  installation,
  browser,
}) => {
  await openDashboard(page, installation)
  await page.getByRole('link', { name: 'Manage Users' }).click()
  await expect(page).toHaveURL(/\/users$/)
  await page.getByRole('button', { name: 'Add User' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  const save = dialog.getByRole('button', { name: 'Add User' })
  await dialog.getByLabel('Set a password').check()
  await dialog.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD)
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
  const other = await (await browser.newContext()).newPage()
  await signInByHand(other, installation, { email: 'kim.ito@agency.test', password: STAFF_PASSWORD })

  await chooseRowAction(page, 'Kim Ito', 'Resend verification email: Kim Ito')
  await expect(page.getByText('Too many requests.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit: Administrator' }).click()
  await page.getByLabel('Role').selectOption('Viewer')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText("The default admin's role cannot be changed")).toBeVisible()
  // While it says "Saving …", the dialog does not close.
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()

  await expect(rowOf(page, 'Administrator').getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete: Kim Ito' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete User' })
  await expectTexts(
    question,
    '/users',
    'Are you sure you want to delete {name}? This action cannot be undone.',
  )
  await expect(question).toContainText('delete Kim Ito?')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectTexts(page, '/users', 'User Deleted')
  await expect(row).toHaveCount(0)
  await other.reload()
  await expect(other).toHaveURL(/\/auth\?next=/)
  await other.context().close()
})
