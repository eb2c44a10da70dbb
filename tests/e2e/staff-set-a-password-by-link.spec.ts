import { expect, type Page } from '@playwright/test'
import { NEW_PASSWORD, readPasswordLink, tokenIn } from '../support/password-links.ts'
import { STAFF_PASSWORD } from '../support/staff.ts'
import { enterPassword, signIn, signInByHand, test } from './installation.ts'

const NAME = 'Mina Park'
const EMAIL = 'mina.park@agency.test'

/** Every URL that the browser of this page asks for, and every Referer that it sends. */
function recordRequests(page: Page): string[] {
  const seen: string[] = []
  page.on('request', request => seen.push(request.url(), request.headers().referer ?? ''))
  return seen
}

async function setPassword(page: Page, password: string) {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
}

test('an invited colleague chooses a password and signs in, and later sets another one that they forgot (E12, E14)', async ({
  page,
  installation,
  browser,
}) => {
  await signIn(page, installation)
  await page.goto('/users?user=new')
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await expect(dialog.getByLabel('Send an invitation')).toBeChecked()
  await dialog.getByLabel('Name').fill(NAME)
  await dialog.getByLabel('Email').fill(EMAIL)
  await dialog.getByRole('button', { name: 'Add User' }).click()
  await expect(page.getByText('User Created')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: EMAIL })
  await expect(row).toContainText('Invited')
  await row.locator('summary').click()
  await expect(page.getByRole('button', { name: `Resend invitation: ${NAME}` })).toBeVisible()

  const invitation = await readPasswordLink(installation, EMAIL)
  const reader = await (await browser.newContext()).newPage()
  const requests = recordRequests(reader)
  const document = await reader.goto(invitation)
  expect(document?.headers()['referrer-policy']).toBe('no-referrer')
  await expect(reader.getByRole('heading', { name: `Welcome, ${NAME}` })).toBeVisible()
  await expect(reader).toHaveURL(`${installation.url}/set-password`)
  await reader.reload()
  await setPassword(reader, 'short')
  await expect(reader.locator('.field-error')).toHaveText('Password must be at least 8 characters')
  await setPassword(reader, STAFF_PASSWORD)
  await expect(reader.getByRole('heading', { name: 'Password set' })).toBeVisible()
  await reader.goto(invitation)
  await expect(reader.getByText('This link does not work.')).toBeVisible()
  await signInByHand(reader, installation, { email: EMAIL, password: STAFF_PASSWORD })
  await page.reload()
  await expect(row).toBeVisible()
  await expect(row).not.toContainText(/Invited|Unverified/)

  await reader.context().clearCookies()
  await reader.goto(`${installation.url}/auth`)
  await reader.getByRole('link', { name: 'Forgot password?' }).click()
  await reader.getByRole('button', { name: 'Send the link' }).click()
  await expect(reader.getByText('Please enter a valid email address')).toBeVisible()
  await reader.getByLabel('Email').fill(EMAIL)
  await reader.getByRole('button', { name: 'Send the link' }).click()
  await expect(reader.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  const reset = await readPasswordLink(installation, EMAIL)
  await reader.goto(reset)
  await expect(reader.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await setPassword(reader, NEW_PASSWORD)
  await reader.getByRole('link', { name: 'Go to the sign-in' }).click()
  await enterPassword(reader, { email: EMAIL, password: STAFF_PASSWORD })
  await expect(reader.getByText('Login Failed', { exact: true })).toBeVisible()
  await signInByHand(reader, installation, { email: EMAIL, password: NEW_PASSWORD })
  await reader.context().close()

  for (const token of [invitation, reset].map(tokenIn)) {
    expect(token.length).toBe(43)
    expect(requests.filter(text => text.includes(token) && !text.includes('#token='))).toEqual([])
    expect(installation.console()).not.toContain(token)
  }
})
