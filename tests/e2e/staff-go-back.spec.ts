import { expect } from '@playwright/test'
import { fill } from './inbox.ts'
import { signIn, testApart } from './installation.ts'

const test = testApart()

test('Back leaves a search for the filter that was there before it', async ({ page, installation }) => {
  await fill(installation, [{ name: 'Ana', form_type: 'tracking' }, { name: 'Bo' }])
  await signIn(page, installation)
  await page.goto('/messages')
  await page.getByLabel('Type').selectOption('Tracking Form')
  await expect(page).toHaveURL(/\?formType=tracking$/)
  const box = page.getByRole('searchbox')
  for (const text of ['zeb', 'zebra', 'zebras']) {
    await box.fill(text)
    await expect(page).toHaveURL(new RegExp(`q=${text}$`))
  }
  await expect(page.getByText('No messages found')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/messages\?formType=tracking$/)
  await expect(box).toHaveValue('')
  await expect(page.getByRole('link', { name: 'Ana' })).toBeVisible()
  // Escape ends a search as Back does, and leaves nothing of it to go back to.
  await box.fill('zebra')
  await expect(page).toHaveURL(/q=zebra$/)
  await box.press('Escape')
  await expect(page).toHaveURL(/\/messages\?formType=tracking$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/messages$/)
})

test('a tab of the settings keeps its address and draft, and no error of another', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await page.goto('/settings')
  await page.getByLabel('Site name').fill('x')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Site name must be at least 3 characters')).toBeVisible()
  await page.getByRole('tab', { name: 'Email Settings' }).click()
  await expect(page).toHaveURL(/\?tab=email$/)
  await page.route('**/api/settings/test-email', route =>
    route.fulfill({ status: 503, json: { success: false, message: 'The relay is away' } }),
  )
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await expect(page.getByText('The relay is away')).toBeVisible()
  await page.getByRole('tab', { name: 'Email Integration' }).click()
  await expect(page.getByText('The relay is away')).toBeHidden()
  await page.goBack()
  await page.goBack()
  await expect(page.getByLabel('Site name')).toHaveValue('x')
  await expect(page.getByText('Site name must be at least 3 characters')).toBeHidden()
})

test('the chosen owner of tokens stays in the URL while the documentation is read', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await page.goto('/api-tokens?user=01900000-0000-7000-8000-000000000000')
  await page.getByRole('tab', { name: 'API Documentation' }).click()
  await expect(page).toHaveURL(/user=01900000-.*&tab=documentation$/)
  await page.getByRole('tab', { name: 'Manage Tokens' }).click()
  await expect(page).toHaveURL(/user=01900000-[-0-9]*$/)
})

for (const path of ['/contact', '/'])
  test(`a visitor’s choice of a form on ${path} is in the address, and Back and reload keep to it`, async ({
    page,
  }) => {
    const current = page.locator('.enquiry-form-tabs [aria-current]')
    await page.goto(path)
    await page.locator('.enquiry-form').scrollIntoViewIfNeeded()
    await expect(page.locator('[data-live] .enquiry-form')).toBeVisible()
    await page.getByRole('button', { name: 'Send enquiry' }).click()
    await expect(page.locator('.error-summary')).toBeVisible()
    await page.getByRole('link', { name: /^Visa assessment/ }).click()
    await expect(page).toHaveURL(/\?form=visa-assessment$/)
    await expect(page.locator('.error-summary')).toBeHidden()
    await page.getByLabel('Your name').fill('Ana Reyes')
    await page.getByRole('link', { name: /^Track my application/ }).click()
    await expect(page).toHaveURL(/\?form=tracking$/)
    await page.goBack()
    await expect(current).toContainText('Visa assessment')
    await page.reload()
    await expect(page.locator('[data-live] .enquiry-form')).toBeVisible()
    await expect(current).toContainText('Visa assessment')
    await expect(page.getByLabel('Your name')).toHaveValue('Ana Reyes')
    await page.goBack()
    await expect(current).toContainText('General enquiry')
    await expect(page.getByLabel('Your name')).toHaveValue('Ana Reyes')
  })
