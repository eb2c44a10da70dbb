import { expect } from '@playwright/test'
import { hashPassword } from '../../src/auth/password.ts'
import { newId } from '../../src/database/id.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createToken } from './api-tokens.ts'
import { expectTexts } from './expect-texts.ts'
import { ADMIN_PASSWORD, type Installation, signIn, test } from './installation.ts'

test('a person who is not an admin sees that access is denied, without a redirect', async ({
  page,
  installation,
}) => {
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
  const received = await installation.mailServer.next(({ recipients }) => recipients.includes(email))
  await page.getByLabel('Verification code').fill(/^\d{6}$/m.exec(received.text ?? '')?.[0] ?? '')
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
  await expect(page.getByText('a program can do what Sol the viewer can do here')).toBeVisible()
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

/** Writes a viewer into the database, while the product runs. */
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
