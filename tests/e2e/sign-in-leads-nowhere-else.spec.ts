import { expect } from '@playwright/test'
import { enterPassword, readCode, test } from './installation.ts'
import { addStaff } from './staff.ts'

const elsewhere = ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)']

test('a sign-in that a link wants to lead to another site ends on the dashboard (X3)', async ({
  page,
  installation,
}) => {
  for (const next of elsewhere) {
    const mina = await addStaff(installation, 'Mina Park')
    await page.goto(`/auth?next=${encodeURIComponent(next)}`)
    await enterPassword(page, mina)
    await page.getByLabel('Verification code').fill(await readCode(installation, mina.email))
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page).toHaveURL(`${installation.url}/dashboard`)
    await page.goto('about:blank')
    await page.context().clearCookies()
  }
})
