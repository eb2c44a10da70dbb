import { expect } from '@playwright/test'
import { test } from './installation.ts'

test('a visitor’s choice of a form is in the address, and Back and reload keep to it', async ({ page }) => {
  for (const path of ['/contact', '/']) {
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
    await page.evaluate(() => localStorage.clear())
  }
})
