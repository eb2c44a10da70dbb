import { expect, type Locator, type Page } from '@playwright/test'
import { users } from '../../src/features/users/contract.ts'
import { expectTexts } from '../e2e/expect-texts.ts'
import { chooseRowAction } from '../e2e/row-actions.ts'
import { createGate, type FakeApi, Refusal } from './fake-api.ts'
import { answerPortal, answerUsers } from './portal.ts'
import { test, toast } from './story.ts'

const PASSWORD = 'Quiet-Harbour-9-Lantern!'
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

function answer(api: FakeApi, ...names: readonly string[]) {
  answerPortal(api)
  return answerUsers(api, ...names)
}

async function fillNewUser(page: Page, name: string, email: string) {
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Set a password').check()
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
  return form
}

test('Escape while a user is being deleted does not lose the focus', async ({ page, api }) => {
  answer(api, 'Kim Ito', 'Lee Tan')
  const gate = createGate()
  api.on(users.delete, () => gate.opened.then(() => ({})))
  await page.goto('/users')
  await button(page, 'Delete: Kim Ito').click()
  const question = page.getByRole('alertdialog', { name: 'Delete User' })
  const action = question.getByRole('button', { name: 'Delete' })
  await action.click()
  await expect(action).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  gate.open()
  await expect(question).toBeHidden()
  await expect(toast(page)).toContainText('User Deleted')
  await expect(page.locator('button:focus')).toHaveCount(1)
})

test('the field of an address that another user has is marked and focused, for a new user and for another', async ({
  page,
  api,
}) => {
  const [, kim] = answer(api, 'Kim Ito', 'Lee Tan')
  await page.goto('/users?user=new')
  await expectTaken(await fillNewUser(page, 'Kim Ito', kim?.email ?? ''))
  await page.goto('/users')
  await button(page, 'Edit: Lee Tan').click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Email').fill(kim?.email ?? '')
  await expectTaken(form)
})

async function expectTaken(form: Locator) {
  const email = form.getByLabel('Email')
  await email.press('Enter')
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toHaveAccessibleDescription('Another user has this email address')
}

test('what is saved without a connection fails at once and says so, and what was typed stays', async ({
  page,
  context,
  api,
}) => {
  answer(api)
  await page.goto('/users?user=new')
  const form = await fillNewUser(page, 'Lee Tan', 'lee@agency.test')
  await context.setOffline(true)
  await page.clock.install()
  await form.getByLabel('Email').press('Enter')
  await expect(form.getByRole('alert')).toContainText('Network error while submitting your request.')
  await expect(form.getByLabel('Name')).toHaveValue('Lee Tan')
  await context.setOffline(false)
  // Right after the first press, a second one counts as a double click.
  await page.clock.runFor(300)
  await form.getByLabel('Email').press('Enter')
  await expect(form).toBeHidden()
  await expect(rowOf(page, 'lee@agency.test')).toHaveCount(1)
})

test('of a user who is added while emails stay on the server, none is announced', async ({ page, api }) => {
  const all = answer(api)
  api.on(users.list, () => ({ users: all, isMailKeptHere: true as const }))
  await page.goto('/users?user=new')
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Name').fill('Lee Tan')
  await form.getByLabel('Email').fill('lee@agency.test')
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await form.getByLabel('Password', { exact: true }).press('Enter')
  await expect(toast(page)).toContainText('Lee Tan can sign in now.')
  await expect(toast(page)).not.toContainText('An email')
})

test('a new user needs a name, an address and a password that follows each rule', async ({ page, api }) => {
  answer(api)
  await page.goto('/users')
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
  await password.fill(PASSWORD)
  await expect(lacking).toHaveCount(0)
  expect(api.calls).not.toContain('POST /api/users')
})

test('of a user who is edited only the changed fields are sent, and nothing when nothing has changed', async ({
  page,
  api,
}) => {
  const [, ana] = answer(api, 'Ana Reyes')
  await page.goto('/users')
  await expectTexts(rowOf(page, 'Ada Admin'), '/users', 'Admin')
  await expectTexts(rowOf(page, 'Ana Reyes'), '/users', 'Viewer')
  await button(page, 'Edit: Ana Reyes').click()
  const dialog = page.getByRole('dialog', { name: 'Edit Ana Reyes' })
  await expect(page).toHaveURL(new RegExp(`user=${ana?.id}`))
  await expect(dialog.getByLabel('Email')).toHaveValue(ana?.email ?? '')
  await button(page, 'Save changes').click()
  await expectTexts(page, '/users', 'No Changes')
  await expect(dialog).toBeHidden()
  expect(api.sent).toEqual([])

  await page.goBack()
  await expect(dialog).toBeVisible()
  await page.reload()
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Role').selectOption('Editor')
  await button(page, 'Save changes').click()
  await expectTexts(page, '/users', 'User Updated')
  await expectTexts(rowOf(page, 'Ana Reyes'), '/users', 'Editor')
  expect(api.sent).toEqual([{ role: 'editor' }])
})

test('an admin is directed to Edit Profile to change their own password (B2)', async ({ page, api }) => {
  answer(api)
  await page.goto('/users')
  await button(page, 'Edit: Ada Admin').click()
  const dialog = page.getByRole('dialog', { name: 'Edit Ada Admin' })
  await expect(dialog.getByText('To change your own password, use Edit Profile')).toBeVisible()
  await expect(dialog.locator('input[type=password]')).toHaveCount(0)
})

test('the grant for messages fits the role, is explained, and is sent with it', async ({ page, api }) => {
  answer(api, 'Robin Tan')
  await page.goto('/users')
  const edit = () => chooseRowAction(page, 'Robin Tan', 'Edit: Robin Tan')
  const dialog = page.getByRole('dialog', { name: 'Edit Robin Tan' })
  const field = dialog.getByLabel('Messages')
  await edit()
  await expect(field).toHaveValue('none')
  await expect(field.getByRole('option')).toHaveText(['No access', 'Read', 'Answer'])
  await field.selectOption('Read')
  await expect(field).toHaveAccessibleDescription('They can search and open messages, and change nothing.')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog).toBeHidden()
  await edit()
  await dialog.getByLabel('Role').selectOption('Editor')
  await expect(field).toHaveValue('read')
  await field.selectOption('Answer')
  await dialog.getByLabel('Role').selectOption('Viewer')
  await expect(field).toHaveValue('answer')
  await dialog.getByLabel('Role').selectOption('Admin')
  await expect(field).toHaveCount(0)
  await dialog.getByLabel('Role').selectOption('Editor')
  await field.focus()
  await page.keyboard.type('Answer')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog).toBeHidden()
  expect(api.sent).toEqual([{ inbox: 'read' }, { role: 'editor', inbox: 'answer' }])
})

test('a failed change of a user shows the error of the server, or else a general one', async ({
  page,
  api,
}) => {
  answerPortal(api)
  api.on(users.list, () => ({ users: [] }))
  await page.goto('/users')
  await expectTexts(page, '/users', 'No users found')
  api.on(users.list, () => new Refusal(500, ''))
  await page.reload()
  await expectTexts(toast(page), '/users', 'Error')
  await expectTexts(toast(page), '/users', 'Failed to fetch users')
  await expect(page.locator('.state')).toContainText('500: ')
  answerUsers(api, 'Mina Park')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rowOf(page, 'Mina Park')).toBeVisible()

  api.on(users.delete, () => new Refusal(500))
  await button(page, 'Delete: Mina Park').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectTexts(toast(page), '/users', 'Error', 'Failed to delete user')
  await expect(page.getByRole('alertdialog')).toBeHidden()

  api.on(users.change, () => new Refusal(500))
  await button(page, 'Edit: Mina Park').click()
  await page.getByLabel('Name').fill('Mina Other')
  await button(page, 'Save changes').click()
  await expectTexts(toast(page), '/users', 'Error', 'Failed to update user')
  await expect(page.getByLabel('Name')).toHaveValue('Mina Other')
  await page.keyboard.press('Escape')
  await button(page, 'Discard').click()

  api.on(users.create, () => new Refusal(500))
  await button(page, 'Add User').click()
  await fillNewUser(page, 'Someone New', 'someone.new@agency.test')
  await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click()
  await expectTexts(toast(page), '/users', 'Error', 'Failed to create user')
})
