import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { hashPassword } from '../src/accounts/password.ts'
import { newId } from '../src/database/id.ts'
import { openDatabase } from '../src/database/open.ts'
import { createToken } from './api-tokens.ts'
import { expectTexts } from './expect-texts.ts'
import { ADMIN_PASSWORD, type Installation, signIn, test } from './installation.ts'

const widths = { desk: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } }

test('whoever may not see it is told so, and led nowhere', async ({ page, installation }) => {
  const denial = page.getByText("You don't have permission to access this page.")
  await page.goto('/api-tokens')
  await expectTexts(page, '/api-tokens', 'Access Denied', "You don't have permission to access this page.")
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/auth\?next=%2Fapi-tokens$/)

  const email = 'viewer@agency.test'
  await hire(installation, email)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  const letter = await installation.mailServer.next(({ recipients }) => recipients.includes(email))
  await page.getByLabel('Verification code').fill(/^\d{6}$/m.exec(letter.text ?? '')?.[0] ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/api-tokens$/)
  await expect(denial).toBeVisible()
  await expect(main.getByRole('link', { name: 'Login' })).toBeHidden()
})

test("an admin makes a token that speaks for someone else, and finds it among that person's", async ({
  page,
  installation,
}) => {
  await hire(installation, 'speaker@agency.test', 'Sol the viewer')
  await signIn(page, installation)
  await page.goto('/api-tokens')
  await page.getByLabel('User').selectOption('Sol the viewer, viewer')
  await expect(page).toHaveURL(/\?user=[0-9a-f-]{36}$/)
  await expect(page.getByText('a program can do here what Sol the viewer can do')).toBeVisible()
  const token = await createToken(page, 'Reads for Sol')
  const reply = await fetch(`${installation.url}/api/auth/me`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect((await reply.json()).user.email).toBe('speaker@agency.test')
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'Reads for Sol' })
  await expect(row).toBeVisible()
  await page.getByLabel('User').selectOption('Administrator (you)')
  await expect(row).toBeHidden()
  await page.goBack()
  await expect(row).toBeVisible()
})

test('an admin whose session ends meanwhile is told so there', async ({ page, context, installation }) => {
  await signIn(page, installation)
  await page.goto('/api-tokens?tab=documentation')
  const tab = page.getByRole('tab', { name: 'Manage Tokens' })
  await expect(tab).toBeVisible()
  await context.clearCookies({ name: 'session' })
  await tab.click()
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(page).toHaveURL(/\/api-tokens$/)
})

for (const [device, viewport] of Object.entries(widths)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`on a ${device}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme, reducedMotion: 'reduce' })

      test('axe finds nothing to complain of', async ({ page, installation }) => {
        await page.goto('/api-tokens')
        await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
        await isFine(page)
        await signIn(page, installation)
        await page.goto('/api-tokens')
        await page.getByRole('button', { name: /^Create/ }).click()
        await isFine(page)
        await page.keyboard.press('Escape')
        await createToken(page, 'A name for axe '.repeat(13))
        await expect(page.getByRole('table')).toBeVisible()
        await isFine(page)
        await page.locator('#toast').getByRole('button', { name: 'Close' }).click()
        await page
          .getByRole('button', { name: /^Revoke/ })
          .first()
          .click()
        await isFine(page)
        await page.goto('/api-tokens?tab=documentation&call=post-api-admin-tokens')
        await expect(page.getByText('Body, as JSON')).toBeVisible()
        await isFine(page)
      })
    })
  }
}

/** Nothing that axe finds, and nothing wider than the window. */
async function isFine(page: Page) {
  const { violations, passes } = await new AxeBuilder({ page }).analyze()
  expect(passes.length).toBeGreaterThan(10)
  expect(violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

/** Writes a viewer into the database, beside the running product. */
async function hire({ data }: Installation, email: string, name = 'Vera the viewer') {
  const db = await openDatabase(data)
  const now = new Date()
  await db
    .insertInto('users')
    .values({
      id: newId(now),
      email,
      name,
      role: 'viewer',
      password_hash: await hashPassword(ADMIN_PASSWORD),
      is_default: 0,
      email_verified: 1,
      locked_until: null,
      created_at: now.toISOString(),
    })
    .execute()
  await db.destroy()
}
