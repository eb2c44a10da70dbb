import { expect, type Page } from '@playwright/test'
import { signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()

/** Holds the next write to a path back until it is released. */
async function holdWrite(page: Page, path: string, method: string) {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(path, async route => {
    if (route.request().method() === method) await released
    await route.continue()
  })
  return release
}

test('a dialog whose write is running stays, and asks nothing', async ({ page, installation }) => {
  await signIn(page, installation)
  await page.goto('/users')
  await page.getByRole('button', { name: 'Add User' }).click()
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Name').fill('Lee Tan')
  await form.getByLabel('Email').fill('lee@agency.test')
  await form.getByLabel('Set a password').check()
  await form.getByLabel('Password', { exact: true }).fill('Quiet-Harbour-9-Lantern!')
  const release = await holdWrite(page, '**/api/users', 'POST')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('button', { name: 'Saving …' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => history.back())
  await expect(form.getByRole('button', { name: 'Saving …' })).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(form.getByRole('button', { name: 'Cancel' })).toHaveAttribute('aria-disabled', 'true')
  release()
  await expect(form).toBeHidden()
  await expect(page.getByText('User Created')).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add User' })).toBeFocused()
})

test('Escape while a user is being deleted does not lose the focus', async ({ page, installation }) => {
  await addStaff(installation, 'Kim Ito')
  await signIn(page, installation)
  await page.goto('/users')
  await page.getByRole('button', { name: 'Delete: Kim Ito' }).first().click()
  const question = page.getByRole('alertdialog', { name: 'Delete User' })
  const release = await holdWrite(page, '**/api/users/*', 'DELETE')
  const action = question.getByRole('button', { name: 'Delete' })
  await action.click()
  await expect(action).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  release()
  await expect(question).toBeHidden()
  await expect(page.getByText('User Deleted')).toBeVisible()
  await expect(page.locator('button:focus')).toHaveCount(1)
})

for (const { opens, action, busy } of [
  { opens: 'Publish', action: 'Publish now', busy: 'Publishing …' },
  { opens: 'Delete', action: 'Delete', busy: 'Delete' },
])
  test(`the ${opens} dialog of a document stays while what was typed is saved`, async ({
    page,
    installation,
  }) => {
    await signIn(page, installation)
    await page.goto('/content')
    await page.getByRole('button', { name: 'Add page' }).click()
    await page.getByLabel('Title').fill(`${opens} this`)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`${opens} this`)
    const release = await holdWrite(page, '**/draft', 'PUT')
    await page.getByRole('textbox', { name: 'Summary' }).fill('What our work costs.')
    await page.getByRole('button', { name: opens, exact: true }).click()
    const dialog = page.locator('dialog:modal')
    await dialog.getByRole('button', { name: action, exact: true }).click()
    await expect(dialog.getByRole('button', { name: busy, exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true })
    await expect(dialog).toBeVisible()
    release()
    await expect(dialog).toBeHidden()
  })

test('the field of an address that another user has is marked and focused', async ({
  page,
  installation,
}) => {
  const kim = await addStaff(installation, 'Kim Ito')
  await signIn(page, installation)
  await page.goto('/users?user=new')
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Name').fill('Kim Ito')
  await form.getByLabel('Email').fill(kim.email)
  await form.getByLabel('Set a password').check()
  await form.getByLabel('Password', { exact: true }).fill('Quiet-Harbour-9-Lantern!')
  await page.keyboard.press('Enter')
  const email = form.getByLabel('Email')
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toHaveAccessibleDescription('Another user has this email address')
})

test('a double click on a button that opens a form leaves the focus on its first field', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await page.goto('/users')
  await page.getByRole('button', { name: 'Add User' }).dblclick()
  await expect(page.getByRole('dialog', { name: 'Add User' }).getByLabel('Name')).toBeFocused()
  await page.goto('/api-tokens')
  await page.getByRole('button', { name: 'Create Your First Token' }).dblclick()
  await expect(page.getByLabel('Description')).toBeFocused()
})

test('a new token that was not copied is not lost without a question', async ({ page, installation }) => {
  await signIn(page, installation)
  await page.goto('/api-tokens')
  await page.getByRole('button', { name: 'Create Your First Token' }).click()
  await page.getByLabel('Description').fill('The backup')
  await page.keyboard.press('Enter')
  const banner = page.getByRole('region', { name: 'Your new token' })
  const question = page.getByRole('alertdialog', { name: 'Token not copied' })
  const users = page.locator('a[href="/users"]').first()
  for (const lose of [
    () => banner.getByRole('button', { name: 'Dismiss' }).click(),
    () => users.dispatchEvent('click'),
    () => page.getByRole('button', { name: 'Create Token' }).click(),
  ]) {
    await lose()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(banner).toBeVisible()
  }
  await banner.getByRole('button', { name: 'Copy token' }).click()
  await expect(page.getByText('Token copied to clipboard')).toBeVisible()
  await users.dispatchEvent('click')
  await expect(page).toHaveURL(/\/users$/)
})

test('a tab shows no data any more when it comes back after a logout in another one', async ({
  page,
  context,
  installation,
}) => {
  await signIn(page, installation)
  // Without the event stream, which notices it sooner.
  await page.route('**/api/events', route => route.abort())
  await page.goto('/users')
  const other = await context.newPage()
  await other.goto(`${installation.url}/dashboard`)
  await other.locator('summary', { hasText: 'Administrator' }).click()
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(other.getByText('Logout Successful')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page).toHaveURL(/\/auth\?next=%2Fusers$/)
})

test('the notice about email is in a landmark', async ({ page, installation }) => {
  await signIn(page, installation)
  await page.route('**/api/dashboard', async route => {
    const reply = await route.fetch()
    const body = await reply.json()
    await route.fulfill({ json: { ...body, attention: { ...body.attention, isMailKeptHere: true } } })
  })
  await page.goto('/users')
  const notice = page.getByRole('complementary', { name: 'Email delivery' })
  await expect(notice).toContainText('No mail provider is set up.')
})
