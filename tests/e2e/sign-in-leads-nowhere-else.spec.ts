import { expect } from '@playwright/test'
import { ADMIN_EMAIL, ADMIN_PASSWORD, test } from './installation.ts'

const elsewhere = ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)']

for (const next of elsewhere) {
  test(`a sign-in that a link wants to lead to ${next} ends on the dashboard (X3)`, async ({
    page,
    installation,
  }) => {
    await page.goto(`/auth?next=${encodeURIComponent(next)}`)
    await page.getByLabel('Email').fill(ADMIN_EMAIL)
    await page.getByLabel('Password').fill(ADMIN_PASSWORD)
    await page.getByRole('button', { name: 'Login' }).click()
    const email = await installation.mailServer.next(
      ({ subject }) => subject?.includes('sign-in code') ?? false,
    )
    await page.getByLabel('Verification code').fill(/^\d{6}$/m.exec(email.text ?? '')?.[0] ?? '')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page).toHaveURL(`${installation.url}/dashboard`)
  })
}
