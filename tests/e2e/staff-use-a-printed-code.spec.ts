import { expect } from '@playwright/test'
import { enterPassword, test } from './installation.ts'
import { addStaff } from './staff.ts'

test('someone whose code was printed on the server reads that, and nothing about an email', async ({
  page,
  installation,
}) => {
  const mina = await addStaff(installation, 'Mina Park')
  const code = /The code is (\d{6})/.exec(installation.run('staff-code', [mina.email]))?.[1] ?? ''
  await page.goto('/auth')
  await enterPassword(page, mina)
  const step = page.getByRole('main')
  for (const again of [false, true]) {
    if (again) await page.reload()
    await expect(step).toContainText('A code of six digits was printed on the server for you')
    await expect(step).not.toContainText('We have sent you an email')
  }
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})
