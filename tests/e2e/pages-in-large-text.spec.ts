import { expect, type Page } from '@playwright/test'
import { test } from './installation.ts'
import { enlargeText, expectRoomForLargeText, LARGE_TEXT } from './large-text.ts'
import { specifiedPages } from './specification.ts'

const addresses = [
  ...specifiedPages,
  '/contact?form=visa-assessment',
  '/contact?form=tracking',
  '/contact/received?reference=LF-7K3M-92QD',
  '/no-such-page',
]

test.use({ viewport: LARGE_TEXT, reducedMotion: 'reduce' })
test.beforeEach(({ page }) => enlargeText(page))

for (const address of addresses)
  test(`${address} has room for text of twice the size on a phone`, async ({ page }) => {
    await open(page, address)
    for (const summary of await page.locator('main summary').all()) await summary.click()
    await expectRoomForLargeText(page)
  })

test('every slide, the menu and a form with its mistakes have room for text of twice the size', async ({
  page,
}) => {
  await open(page, '/')
  for (const _ of Array(3)) {
    await page.getByRole('button', { name: 'Next slide' }).click()
    await expectRoomForLargeText(page)
  }
  await page.getByText('Menu', { exact: true }).click({ force: true })
  await expectRoomForLargeText(page)
  await open(page, '/contact')
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await expect(page.locator('.field-error').first()).toBeVisible()
  await expectRoomForLargeText(page)
})

async function open(page: Page, address: string) {
  await page.goto(address)
  await expect(page.locator('[data-island]:not([data-live])')).toHaveCount(0)
}
