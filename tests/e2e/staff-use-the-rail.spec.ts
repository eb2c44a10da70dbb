import { expect, type Page } from '@playwright/test'
import { openDashboard, test } from './installation.ts'
import { enlargeText, expectRoomForLargeText } from './large-text.ts'
import { addStaff } from './staff.ts'

const WIDE = { width: 1024, height: 768 }
const rail = (page: Page) => page.getByRole('navigation', { name: 'Screens' })
const everyScreen = ['Dashboard', 'Users', 'Messages', 'Content', 'Settings', 'System Logs', 'API Tokens']

test.use({ viewport: WIDE })

test('an admin reaches every screen by the rail, which marks the one that is open', async ({
  page,
  installation,
}) => {
  await openDashboard(page, installation, await addStaff(installation, 'Ada Admin', { role: 'admin' }))
  await expect(rail(page).getByRole('link')).toContainText(everyScreen)
  await page.evaluate(() => document.body.setAttribute('data-same-document', ''))
  for (const name of everyScreen.toReversed()) {
    await rail(page).getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await expect(rail(page).locator('[aria-current="page"]')).toContainText([name])
  }
  await expect(page.locator('[data-same-document]')).toBeAttached()
})

for (const role of ['editor', 'viewer'] as const)
  test(`the rail of a person whose role is ${role} has the dashboard and the content`, async ({
    page,
    installation,
  }) => {
    await openDashboard(page, installation, await addStaff(installation, 'Mina Park', { role }))
    await expect(rail(page).getByRole('link')).toContainText(['Dashboard', 'Content'])
    await page.goto('/api-tokens')
    await expect(page.getByText('Access Denied')).toBeVisible()
    await expect(rail(page).getByRole('link')).toContainText(['Dashboard', 'Content'])
    await expect(rail(page).locator('[aria-current]')).toHaveCount(0)
  })

test('somebody who is not signed in sees no rail', async ({ page }) => {
  await page.goto('/api-tokens')
  await expect(page.getByText('Access Denied')).toBeVisible()
  await expect(rail(page)).toHaveCount(0)
})

test('the rail is there from 1,024 px, and the menus of the header at every width', async ({
  page,
  installation,
}) => {
  await openDashboard(page, installation, await addStaff(installation, 'Ada Admin', { role: 'admin' }))
  await expect(rail(page)).toBeVisible()
  await expect(rail(page)).toHaveCSS('width', '200px')
  await expect(
    page.locator('summary').getByText('Admin', { exact: true }).filter({ visible: true }),
  ).toBeVisible()
  await page.setViewportSize({ ...WIDE, width: 1023 })
  await expect(rail(page)).toBeHidden()
  await expect(
    page.locator('summary').getByText('Admin', { exact: true }).filter({ visible: true }),
  ).toBeVisible()
})

test('the keyboard reaches each link of the rail before the screen, and Enter opens it', async ({
  page,
  installation,
}) => {
  await openDashboard(page, installation, await addStaff(installation, 'Ada Admin', { role: 'admin' }))
  const links = rail(page).getByRole('link')
  await links.first().focus()
  for (const name of everyScreen) {
    await expect(links.filter({ hasText: name })).toBeFocused()
    await expect(links.filter({ hasText: name })).toHaveCSS('outline-style', 'solid')
    await page.keyboard.press('Tab')
  }
  await expect(page.locator('main :focus')).toHaveCount(1)
  await links.filter({ hasText: 'Users' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Users')
})

test('the rail stays in sight while a screen scrolls, and is not printed', async ({ page, installation }) => {
  await page.setViewportSize({ ...WIDE, height: 300 })
  await openDashboard(page, installation, await addStaff(installation, 'Ada Admin', { role: 'admin' }))
  await expect(page.locator('.dashboard-profile-name')).toBeVisible()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(rail(page).getByRole('link', { name: 'Dashboard' })).toBeInViewport()
  await page.emulateMedia({ media: 'print' })
  await expect(rail(page)).toBeHidden()
})

test('the rail and the screen beside it have room for text of twice the size', async ({
  page,
  installation,
}) => {
  await enlargeText(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openDashboard(page, installation, await addStaff(installation, 'Ada Admin', { role: 'admin' }))
  await expect(page.locator('.dashboard-profile-name')).toBeVisible()
  await expectRoomForLargeText(page)
})
