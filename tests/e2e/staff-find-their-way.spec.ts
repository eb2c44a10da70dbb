import { expect, type Page } from '@playwright/test'
import { expectTexts } from './expect-texts.ts'
import { openDashboard, test } from './installation.ts'

const menu = (page: Page, label: string) =>
  page.locator('details[data-menu]').filter({ has: page.locator('summary', { hasText: label }) })

test('an admin finds every screen in the desktop menu and by the rail, which mark the one that is open, and no screen elsewhere', async ({
  page,
  installation,
}) => {
  await openDashboard(page, installation)
  const banner = page.getByRole('banner')
  await expectTexts(banner, 'the header', 'Home', 'About Us', 'Contact')
  const admin = menu(page, 'Admin').and(page.locator('.wide-only'))
  await admin.locator('summary').click()
  const links = ['Dashboard', 'Users', 'Messages', 'Settings', 'System Logs', 'API Tokens']
  await expect(admin.getByRole('link')).toHaveText(links)
  await expectTexts(banner, 'the header', 'Dashboard', 'Users', 'Messages', 'Settings')
  await expectTexts(banner, 'the header', 'System Logs', 'API Tokens')
  for (const name of links.toReversed()) {
    if ((await admin.getAttribute('open')) === null) await admin.locator('summary').click()
    await admin.getByRole('link', { name }).click()
    await expect(page).toHaveTitle(new RegExp(`${name} \\| Landfall`))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await expect(admin.locator('[aria-current="page"]')).toHaveText(name)
  }
  const everyScreen = ['Dashboard', 'Users', 'Messages', 'Content', 'Settings', 'System Logs', 'API Tokens']
  const rail = page.getByRole('navigation', { name: 'Screens' })
  await page.evaluate(() => document.body.setAttribute('data-same-document', ''))
  for (const name of everyScreen.toReversed()) {
    await rail.getByRole('link', { name }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await expect(rail.locator('[aria-current="page"]')).toContainText([name])
  }
  await expect(page.locator('[data-same-document]')).toBeAttached()
  expect((await page.goto('/no-such-screen'))?.status()).toBe(404)
  await expectTexts(
    page,
    'any other address',
    '404 Page Not Found',
    'Did you forget to add the page to the router?',
  )
})
