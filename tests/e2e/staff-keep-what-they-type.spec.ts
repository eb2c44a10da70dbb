import { expect, type Page } from '@playwright/test'
import { openDashboard, signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard what you typed?' })

/** Back, once React has registered what holds it back: some milliseconds after the first character, so no person is faster. */
const goBack = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(resolve => requestIdleCallback(resolve))
    history.back()
  })

/** Each form, and how a person gets to it. */
const forms = [
  {
    dialog: 'Add User',
    field: 'Name',
    from: '/users',
    open: async (page: Page) => page.getByRole('button', { name: 'Add User' }).click(),
  },
  {
    dialog: 'Edit Kim Ito',
    field: 'Name',
    from: '/users',
    open: async (page: Page) => page.getByRole('button', { name: 'Edit: Kim Ito' }).first().click(),
  },
  {
    dialog: 'Edit Profile',
    field: 'Name',
    from: '/dashboard',
    open: async (page: Page) => page.getByRole('button', { name: 'Edit Profile' }).click(),
  },
  {
    dialog: 'Create Token',
    field: 'Description',
    from: '/api-tokens',
    open: async (page: Page) => page.getByRole('button', { name: 'Create Your First Token' }).click(),
  },
] as const

for (const { dialog, field, from, open } of forms)
  test(`nobody loses what they typed in ${dialog} by Back or by a reload without a question`, async ({
    page,
    installation,
  }) => {
    await addStaff(installation, 'Kim Ito')
    await openDashboard(page, installation)
    if (from !== '/dashboard') await page.locator(`a[href="${from}"]`).first().dispatchEvent('click')
    await open(page)
    const form = page.getByRole('dialog', { name: dialog })
    const input = form.getByLabel(field, { exact: true })
    await input.fill('Half a sentence')
    for (let time = 0; time < 2; time++) {
      await goBack(page)
      await question(page).getByRole('button', { name: 'Keep editing' }).click()
      await expect(input).toHaveValue('Half a sentence')
    }
    const asked: string[] = []
    page.on('dialog', async it => {
      asked.push(it.type())
      await it.dismiss()
    })
    await page.evaluate(() => location.reload())
    await expect(() => expect(asked).toEqual(['beforeunload'])).toPass()
    await expect(input).toHaveValue('Half a sentence')
    await goBack(page)
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await expect(form).toBeHidden()
  })

test('a reload and Back ask nothing while a dialog has nothing unsaved', async ({ page, installation }) => {
  await signIn(page, installation)
  await page.goto('/users')
  await page.getByRole('button', { name: 'Add User' }).click()
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Name').fill('Kim')
  await form.getByLabel('Name').fill('')
  page.on('dialog', () => {
    throw new Error('The browser asked')
  })
  await page.reload()
  await expect(form).toBeVisible()
  await page.goBack()
  await expect(form).toBeHidden()
  await expect(page).toHaveURL(/\/users$/)
})

test('what is saved without a connection fails at once and says so, and what was typed stays', async ({
  page,
  context,
  installation,
}) => {
  await signIn(page, installation)
  await page.goto('/users')
  await page.getByRole('button', { name: 'Add User' }).click()
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Name').fill('Lee Tan')
  await form.getByLabel('Email').fill('lee@agency.test')
  await context.setOffline(true)
  await form.getByLabel('Email').press('Enter')
  await expect(form.getByRole('alert')).toContainText('Network error while submitting your request.')
  await expect(form.getByLabel('Name')).toHaveValue('Lee Tan')
  await context.setOffline(false)
  // Right after the first press, a second one counts as a double click.
  await expect(async () => {
    await form.getByLabel('Email').press('Enter')
    await expect(form).toBeHidden({ timeout: 3000 })
  }).toPass()
  await expect(page.getByRole('row').filter({ hasText: 'lee@agency.test' })).toHaveCount(1)
})
