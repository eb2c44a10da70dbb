import { expect, type Page } from '@playwright/test'
import { expectTexts, toast } from './expect-texts.ts'
import { openDashboard, signIn, test } from './installation.ts'
import { addStaff } from './staff.ts'

const menu = (page: Page, label: string) =>
  page.locator('details[data-menu]').filter({ has: page.locator('summary', { hasText: label }) })

test('an admin finds every screen in the desktop menu, and the one that is open is marked', async ({
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
})

test('an admin finds on the dashboard who they are and where to go on', async ({ page, installation }) => {
  await openDashboard(page, installation)
  const screen = page.getByRole('main')
  await expectTexts(screen, '/dashboard', 'Profile', 'Admin', 'Edit Profile')
  await expectTexts(screen, '/dashboard', 'User Management', 'Quick Actions', 'Visit Website')
  await expectTexts(screen, '/dashboard', 'Website Settings', 'Contact Requests', 'View Applications')
  for (const [name, address] of [
    ['Visit Website', '/'],
    ['Website Settings', '/settings'],
    ['Contact Requests', '/messages?formType=contact'],
    ['View Applications', '/messages?formType=tracking'],
  ] as const)
    await expect(screen.getByRole('link', { name })).toHaveAttribute('href', address)
})

test('an admin with a phone reaches every screen by its two menus', async ({ page, installation }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openDashboard(page, installation)
  const dropdown = menu(page, 'Admin').and(page.locator('.narrow-only'))
  await dropdown.locator('summary').click()
  await expect(dropdown.getByRole('link')).toHaveText(['Dashboard', 'Users', 'Settings', 'System Logs'])
  const slide = menu(page, 'Menu')
  await slide.locator('summary').click()
  await expect(dropdown.getByRole('link').first()).toBeHidden()
  await expect(slide.getByRole('link')).toHaveText([
    ...['Home', 'About Us', 'Contact'],
    ...['Dashboard', 'Users', 'Messages', 'Settings', 'API Tokens'],
  ])
  await slide.locator('summary').click()
  await expect(slide.getByRole('link').first()).toBeHidden()
})

test('a viewer sees which account they are signed in with, even one without a name', async ({
  page,
  installation,
}) => {
  const { email, ...mina } = await addStaff(installation, 'Mina Park')
  await openDashboard(page, installation, { email, ...mina })
  await expectTexts(page.getByRole('main'), '/dashboard', 'Viewer')
  await expect(menu(page, 'Admin')).toHaveCount(0)
  await page.route('**/api/auth/me', route =>
    route.fulfill({
      json: {
        ...{ success: true, permissions: ['content:read'] },
        user: { id: mina.id, email, name: '', role: 'viewer' },
      },
    }),
  )
  await page.reload()
  await expect(menu(page, 'Profile').locator('summary')).toHaveText('Profile')
  await expectTexts(page.getByRole('banner'), 'the header', 'Profile')
})

test('an unknown URL shows the 404 screen', async ({ page }) => {
  expect((await page.goto('/no-such-screen'))?.status()).toBe(404)
  await expectTexts(
    page,
    'any other address',
    '404 Page Not Found',
    'Did you forget to add the page to the router?',
  )
})

test('a person whose account cannot be loaded sees a spinner, then what failed, and can try again', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  let answer = () => {}
  await page.route(
    '**/api/auth/me',
    async route => {
      await new Promise<void>(resolve => {
        answer = resolve
      })
      await route.fulfill({ status: 500, json: { success: false } })
    },
    { times: 1 },
  )
  await page.goto('/users')
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible()
  answer()
  await expect(page.getByRole('alert')).toContainText('Failed to fetch user. 500')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await expect(page).toHaveURL(/\/users$/)
})

test('someone who does two things in a row is shown one toast at most, for five seconds', async ({
  page,
  installation,
}) => {
  const mina = await addStaff(installation, 'Mina Park')
  await openDashboard(page, installation, mina)
  // From here on, time passes only where the story says so.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 10_000)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  // By keys: a toast under the mouse stays.
  await page.getByLabel('Name').press('Enter')
  await expect(toast(page).locator('strong')).toHaveText('No Changes')
  await page.clock.runFor(3000)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('Name').fill('Mina Ito')
  await page.getByLabel('Name').press('Enter')
  await expect(toast(page).locator('strong')).toHaveText('Profile Updated')
  await expect(page.getByText('No Changes')).toHaveCount(0)
  await page.clock.runFor(4900)
  await expect(toast(page)).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast(page)).toBeHidden()
})
