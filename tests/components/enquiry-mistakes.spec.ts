import { expect, type Page } from '@playwright/test'
import { test } from '../e2e/installation.ts'

const words = 'I am a nurse in Chengdu and hope to work in Perth from March.'

async function fillForm(page: Page, name: string) {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email').fill('li.wei@example.com')
  await page.getByLabel('Phone').fill('+86 138 0013 8000')
  await page.getByLabel('Service').selectOption('Skilled Migration')
  await page.getByLabel('Message').fill(words)
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('a visitor who leaves fields empty sees what to correct and loses nothing', async ({ page }) => {
      await page.goto('/contact?form=visa-assessment')
      if (javaScriptEnabled) await waitForIsland(page)
      await page.getByLabel('Your name').fill('L')
      await page.getByLabel('Message').fill(words)
      await page.getByRole('button', { name: 'Send enquiry' }).click()
      await expect(page.locator('.field-error')).toHaveText([
        'Name must be at least 2 characters',
        'Enter your email address',
        'Enter your phone number',
      ])
      await expect(page.getByLabel('Message')).toHaveValue(words)
      await expect(page.getByRole('link', { name: 'Visa assessment' })).toHaveAttribute(
        'aria-current',
        'true',
      )
    })
  })
}

test('a visitor on a line that breaks keeps the form and stores nothing twice', async ({
  page,
  installation,
}) => {
  await page.goto('/')
  await waitForIsland(page)
  await fillForm(page, 'Broken Line')
  // The enquiry arrives, its answer does not.
  await page.route(
    '**/api/contact',
    async route => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await expect(page.getByText('Network error when submitting your request.').first()).toBeVisible()
  await expect(page.getByLabel('Your name')).toHaveValue('Broken Line')
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await expect(page.locator('.reference')).toBeVisible()
  const reference = await page.locator('.reference').innerText()
  await installation.mailServer.next(({ subject }) => subject?.includes(reference) ?? false)
  const emails = installation.mailServer.emails.filter(({ subject }) => subject?.includes('Broken Line'))
  expect(emails).toHaveLength(1)
})

async function waitForIsland(page: Page) {
  await expect(page.locator('[data-island="enquiry-form"][data-live]')).toBeVisible()
}
