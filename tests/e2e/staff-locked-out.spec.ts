import { expect } from '@playwright/test'
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  enterPassword,
  openInstallation,
  signInByHand,
  test,
} from './installation.ts'

test('an admin signs in with a code from the console of the server while mail is down (found E1)', async ({
  page,
}) => {
  const installation = await openInstallation()
  installation.mailServer.behaviour = 'refuse'
  await page.goto(`${installation.url}/auth`)
  await page.getByLabel('Email').fill(ADMIN_EMAIL)
  await page.getByLabel('Password').fill(ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(
    page.getByText(/Mail is failing, so a code of six digits was printed on the server/),
  ).toBeVisible()
  const code = /Sign-in code: (\d{6})/.exec(installation.console())?.[1] ?? ''
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await installation.close()
})

test('an admin whose first address receives no mail, and who has forgotten the password, is given both on the server', async ({
  page,
}) => {
  const installation = await openInstallation({ ADMIN_EMAIL: 'admin@localhost.test' })
  expect(installation.console()).toContain('npm run staff:email -- admin@localhost.test NEW')
  expect(installation.run('staff-email', ['admin@localhost.test', ADMIN_EMAIL])).toContain(
    `signs in as ${ADMIN_EMAIL}`,
  )
  const printed = installation.run('staff-password', [ADMIN_EMAIL])
  const password = /The new password is (\S+)\. /.exec(printed)?.[1] ?? ''
  await page.goto(`${installation.url}/auth`)
  await enterPassword(page)
  await expect(page.getByText('Login failed').first()).toBeVisible()
  await signInByHand(page, installation, { email: ADMIN_EMAIL, password })
  await installation.mailServer.next(({ subject }) => subject === 'Your password was changed')
  await installation.close()
})

test('a newcomer with nothing configured signs in with the code on the console', async ({ page }) => {
  const installation = await openInstallation({ SMTP_URL: '', MAIL_FROM: '' })
  await page.goto(`${installation.url}/auth`)
  await page.getByLabel('Email').fill(ADMIN_EMAIL)
  await page.getByLabel('Password').fill(ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByLabel('Verification code')).toBeVisible()
  const code = /sign-in code.* — code (\d{6})/.exec(installation.console())?.[1] ?? ''
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('No mail provider is set up.')).toBeVisible()
  await installation.close()
})
