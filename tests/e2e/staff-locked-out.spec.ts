import { spawnSync } from 'node:child_process'
import { expect } from '@playwright/test'
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  enterPassword,
  openInstallation,
  signInByHand,
  test,
} from './installation.ts'

test('an admin signs in with a code from the server while mail is down', async ({ page }) => {
  const installation = await openInstallation()
  installation.mailServer.behaviour = 'refuse'
  await page.goto(`${installation.url}/auth`)
  await page.getByLabel('Email').fill(ADMIN_EMAIL)
  await page.getByLabel('Password').fill(ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('The verification code could not be sent.')).toBeVisible()

  const printed = installation.run('staff-code', [ADMIN_EMAIL])
  const code = /The code is (\d{6})/.exec(printed)?.[1] ?? ''
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await installation.close()
})

test('an admin who has forgotten the password is given one on the server', async ({ page }) => {
  const installation = await openInstallation()
  const printed = installation.run('staff-password', [ADMIN_EMAIL])
  const password = /The new password is (\S+)\. /.exec(printed)?.[1] ?? ''
  await page.goto(`${installation.url}/auth`)
  await enterPassword(page)
  await expect(page.getByText('Login failed').first()).toBeVisible()
  await signInByHand(page, installation, { email: ADMIN_EMAIL, password })
  await installation.mailServer.next(({ subject }) => subject === 'Your password was changed')
  await installation.close()
})

test('an admin whose first address receives no mail is given a real one on the server', async ({ page }) => {
  const installation = await openInstallation({ ADMIN_EMAIL: 'admin@localhost.test' })
  expect(installation.console()).toContain('npm run staff:email -- admin@localhost.test NEW')
  expect(installation.run('staff-email', ['admin@localhost.test', ADMIN_EMAIL])).toContain(
    `signs in as ${ADMIN_EMAIL}`,
  )
  await signInByHand(page, installation)
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

test('a value that cannot be started with is named in one line', () => {
  const { status, stderr } = spawnSync(process.execPath, ['build/server/main.js'], {
    env: { PATH: process.env.PATH, PUBLIC_URL: 'localhost' },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toBe(
    'PUBLIC_URL takes an origin like https://www.example.com, without a path, not "localhost"\n',
  )
})
