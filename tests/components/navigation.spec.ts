import { expect, type Page } from '@playwright/test'
import { signIn } from '../../src/features/sign-in/contract.ts'
import { expectTexts } from '../e2e/expect-texts.ts'
import { createGate } from './fake-api.ts'
import { ADA, answerPortal, answerUsers } from './portal.ts'
import { test } from './story.ts'

const WIDE = { width: 1024, height: 768 }
const rail = (page: Page) => page.getByRole('navigation', { name: 'Screens' })
const menu = (page: Page, label: string) =>
  page.locator('details[data-menu]').filter({ has: page.locator('summary', { hasText: label }) })
const everyScreen = ['Dashboard', 'Users', 'Messages', 'Content', 'Settings', 'System Logs', 'API Tokens']

test.use({ viewport: WIDE })

test('an admin finds on the dashboard who they are and where to go on', async ({ page, api }) => {
  answerPortal(api)
  await page.goto('/dashboard')
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

test('an admin with a phone reaches every screen by the two menus', async ({ page, api }) => {
  answerPortal(api)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/dashboard')
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
  api,
}) => {
  answerPortal(api, { ...ADA, role: 'viewer', name: '' })
  await page.goto('/dashboard')
  await expectTexts(page.getByRole('main'), '/dashboard', 'Viewer')
  await expect(menu(page, 'Admin')).toHaveCount(0)
  await expect(menu(page, 'Profile').locator('summary')).toHaveText('Profile')
  await expectTexts(page.getByRole('banner'), 'the header', 'Profile')
})

for (const role of ['editor', 'viewer'] as const)
  test(`the rail of a person whose role is ${role} has the dashboard and the content`, async ({
    page,
    api,
  }) => {
    answerPortal(api, { ...ADA, role })
    await page.goto('/dashboard')
    await expect(rail(page).getByRole('link')).toContainText(['Dashboard', 'Content'])
    await page.goto('/api-tokens')
    await expect(page.getByText('Access Denied')).toBeVisible()
    await expect(rail(page).getByRole('link')).toContainText(['Dashboard', 'Content'])
    await expect(rail(page).locator('[aria-current]')).toHaveCount(0)
  })

test('who logs out comes to the home page, also when another read learns first that the session is over', async ({
  page,
  api,
}) => {
  answerPortal(api)
  answerUsers(api)
  const [asked, reply] = [createGate(), createGate()]
  api.on(signIn.logout, async () => {
    asked.open()
    await reply.opened
    return {}
  })
  await page.goto('/dashboard')
  await page.getByRole('banner').getByText('Ada Admin').click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await asked.opened
  api.signOut()
  const refused = page.waitForResponse(response => response.status() === 401)
  await rail(page).getByRole('link', { name: 'Users' }).click()
  await refused
  await expect(page).toHaveURL(/\/users$/)
  reply.open()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('somebody who is not signed in sees no rail', async ({ page, api }) => {
  api.signOut()
  await page.goto('/api-tokens')
  await expect(page.getByText('Access Denied')).toBeVisible()
  await expect(rail(page)).toHaveCount(0)
})

test('the rail is there from 1,024 px, and the menus of the header at every width', async ({ page, api }) => {
  answerPortal(api)
  await page.goto('/dashboard')
  const admin = page.locator('summary').getByText('Admin', { exact: true }).filter({ visible: true })
  await expect(rail(page)).toHaveCSS('width', '200px')
  await expect(admin).toBeVisible()
  await page.setViewportSize({ ...WIDE, width: 1023 })
  await expect(rail(page)).toBeHidden()
  await expect(admin).toBeVisible()
})

test('the keyboard reaches each link of the rail before the screen', async ({ page, api }) => {
  answerPortal(api)
  await page.goto('/dashboard')
  await expect(page.locator('main').getByRole('link').first()).toBeVisible()
  const links = rail(page).getByRole('link')
  await links.first().focus()
  for (const name of everyScreen) {
    await expect(links.filter({ hasText: name })).toBeFocused()
    await expect(links.filter({ hasText: name })).toHaveCSS('outline-style', 'solid')
    await page.keyboard.press('Tab')
  }
  await expect(page.locator('main :focus')).toHaveCount(1)
})

test('the rail stays in sight while a screen scrolls, and is not printed', async ({ page, api }) => {
  answerPortal(api)
  await page.setViewportSize({ ...WIDE, height: 300 })
  await page.goto('/dashboard')
  await expect(page.locator('.dashboard-profile-name')).toBeVisible()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(rail(page).getByRole('link', { name: 'Dashboard' })).toBeInViewport()
  await page.emulateMedia({ media: 'print' })
  await expect(rail(page)).toBeHidden()
})

test('the notice about email is in a landmark', async ({ page, api }) => {
  const none = { unread: 0, unverified: 0, suspect: 0, failedEmails: 0, failedAccountEmails: 0 }
  answerPortal(api, ADA, { ...none, isMailKeptHere: true, erasures: null, fileSpace: null })
  await page.goto('/dashboard')
  const notice = page.getByRole('complementary', { name: 'Email delivery' })
  await expect(notice).toContainText('No mail provider is set up.')
})
