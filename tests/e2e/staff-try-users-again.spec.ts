import { expect, type Page } from '@playwright/test'
import { expectTexts, toast } from './expect-texts.ts'
import { signIn, test } from './installation.ts'
import { addStaff, STAFF_PASSWORD } from './staff.ts'

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('a failed change of a user shows the error of the server, or else a general one', async ({
  page,
  installation,
}) => {
  const { name } = await addStaff(installation, 'Mina Park')
  await signIn(page, installation)
  const fail = (method: string, body: string) =>
    page.route('**/api/users**', route =>
      route.request().method() === method ? route.fulfill({ status: 500, body }) : route.fallback(),
    )

  await page.route('**/api/users', route => route.fulfill({ json: { success: true, users: [] } }))
  await page.goto('/users')
  await expectTexts(page, '/users', 'No users found')
  await page.unroute('**/api/users')

  await fail('GET', '')
  await page.reload()
  await expectTexts(toast(page), '/users', 'Error')
  await expectTexts(toast(page), '/users', 'Failed to fetch users')
  await expect(page.locator('.state')).toContainText('500: ')
  await page.unroute('**/api/users**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rowOf(page, name).first()).toBeVisible()

  await fail('DELETE', '{}')
  await page
    .getByRole('button', { name: `Delete: ${name}` })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectTexts(toast(page), '/users', 'Error', 'Failed to delete user')
  await expect(page.getByRole('alertdialog')).toBeHidden()

  await fail('PATCH', '{}')
  await page
    .getByRole('button', { name: `Edit: ${name}` })
    .first()
    .click()
  await page.getByLabel('Name').fill('Mina Other')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectTexts(toast(page), '/users', 'Error', 'Failed to update user')
  await expect(page.getByLabel('Name')).toHaveValue('Mina Other')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()

  await fail('POST', '{}')
  await page.getByRole('button', { name: 'Add User' }).click()
  await page.getByLabel('Name').fill('Someone New')
  await page.getByRole('dialog').getByLabel('Email').fill('someone.new@agency.test')
  await page.getByLabel('Set a password').check()
  await page.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click()
  await expectTexts(toast(page), '/users', 'Error', 'Failed to create user')
})
