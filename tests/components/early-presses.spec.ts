import { expect } from '@playwright/test'
import { test } from '../e2e/installation.ts'

test('a press on Send that comes before the script is there sends the form', async ({ page }) => {
  await page.route(/\/assets\/react-/, async route => {
    await new Promise(resolve => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await expect(page.getByText('Enter your name').first()).toBeVisible()
  await expect(page).toHaveURL(/\/contact$/)
})

test('without the script a press on Send posts the form, as it does without JavaScript', async ({ page }) => {
  await page.route(/\/assets\/react-/, route => route.abort())
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await expect(page).toHaveTitle(/Please check your enquiry/)
})
