import { expect } from '@playwright/test'
import { devices, expectNoComplaints } from './axe.ts'
import { signIn, test } from './installation.ts'

const tabs = [
  { address: '/settings', name: 'General Settings', field: 'Site name' },
  { address: '/settings?tab=email', name: 'Email Settings', field: 'Form email' },
  { address: '/settings?tab=recaptcha', name: 'reCAPTCHA Settings', field: 'Secret key' },
  { address: '/settings?tab=email-integration', name: 'Email Integration', field: 'API key' },
]

for (const { device, viewport } of devices)
  test(`on a ${device} no tab has anything that axe complains of`, async ({ page, installation }) => {
    // Axe looks at eight states, and takes its time on a busy machine.
    test.setTimeout(120_000)
    await page.setViewportSize(viewport)
    await signIn(page, installation)
    await page.goto(tabs[0]?.address ?? '')
    for (const { address, name, field } of tabs) {
      await page.getByRole('tab', { name }).click()
      await expect(page).toHaveURL(installation.url + address)
      await expect(page.getByLabel(field)).toBeVisible()
      // Too long to be right, and too long for one line.
      await page.getByLabel(field).evaluate(input => input.removeAttribute('maxlength'))
      await page.getByLabel(field).fill('ж'.repeat(300))
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.locator('.field-error')).toBeVisible()
      await expectNoComplaints(page)
    }
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('tab', { name: 'Email Settings' }).click()
    for (const provider of ['Microsoft 365', 'Another mail server']) {
      await page.getByRole('radio', { name: provider }).check()
      await page.getByRole('button', { name: 'Save mail provider' }).click()
      await expect(page.locator('.settings-mail .field-error').first()).toBeVisible()
      await expectNoComplaints(page)
    }
    await page.getByRole('button', { name: 'Undo changes' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'Send a test email' }).click()
    await expect(page.getByText('Test email sent to')).toBeVisible()
    await expectNoComplaints(page)
    // Whatever menu it is in on this device.
    await page.locator('a[href="/messages"]').first().dispatchEvent('click')
    await expect(page.getByRole('alertdialog', { name: 'Unsaved changes' })).toBeVisible()
    await expectNoComplaints(page)
    await page.getByRole('button', { name: 'Leave without saving' }).click()
  })
