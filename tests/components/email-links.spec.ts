import { expect } from '@playwright/test'
import { expectTexts } from '../e2e/expect-texts.ts'
import { test } from '../e2e/installation.ts'
import { createGate } from './fake-api.ts'

test('the verification page shows that it is checking the link, and then what is wrong', async ({ page }) => {
  const answer = createGate()
  await page.route('**/api/auth/verify-email**', async route => {
    await answer.opened
    await route.fulfill({ status: 500, json: { success: false } })
  })
  await page.goto('/verify-email?token=anything')
  await expect(page.getByRole('status')).toContainText('Verifying your email address')
  answer.open()
  await expectTexts(page, '/verify-email', 'Failed to verify your email address')
  await page.unroute('**/api/auth/verify-email**')

  await page.route('**/api/auth/verify-email**', route => route.abort())
  await page.goto('/verify-email?token=anything')
  await expectTexts(page, '/verify-email', 'An error occurred while verifying your email address')
  await page.unroute('**/api/auth/verify-email**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectTexts(page, '/verify-email', 'Invalid verification token')
})

test('a link without a token is invalid, and nobody is asked about it', async ({ page }) => {
  const calls: string[] = []
  page.on('request', request => {
    if (request.url().includes('/api/')) calls.push(request.url())
  })
  await page.goto('/verify-email')
  await expect(page.getByText('Invalid verification token')).toBeVisible()
  expect(calls).toEqual([])
})

test('a failed check of a link can be tried again, and a link without a token asks nobody', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', request => calls.push(new URL(request.url()).pathname))
  await page.goto('/set-password')
  await expect(page.getByText('This link does not work.')).toBeVisible()
  expect(calls.filter(path => path.startsWith('/api/'))).toEqual([])
  await page.route('**/api/auth/password-link', route => route.abort())
  await page.goto('/set-password#token=x')
  await expect(page.getByRole('alert')).toContainText('Network error')
  await page.unroute('**/api/auth/password-link')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('This link does not work.')).toBeVisible()
})
