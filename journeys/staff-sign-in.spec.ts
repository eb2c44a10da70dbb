import { expect } from '@playwright/test'
import { addColleague, beside, comeFromElsewhere } from './colleagues.ts'
import { givePassword, readCode, signIn, test } from './installation.ts'

test.beforeEach(({ page }) => comeFromElsewhere(page))

test('someone signs in for the first time, with a code from a letter', async ({ page, installation }) => {
  const mina = await addColleague(installation, 'Mina Park')
  await page.goto('/login')
  await givePassword(page, mina)
  await expect(page.getByText('Verification Required')).toBeVisible()
  await expect(page.getByText('Please enter the verification code sent to your email.')).toBeVisible()
  const code = page.getByLabel('Verification code')
  await expect(code).toBeFocused()
  await code.fill('12345')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Verification code must be 6 digits')).toBeVisible()
  await code.fill(await readCode(installation, mina.email))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Verification Successful')).toBeVisible()
  await expect(page.getByText('Welcome back, Mina Park!')).toBeVisible()
  await page.goto('/auth')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a letter that did not come is asked for again after a minute', async ({ page, installation }) => {
  const mina = await addColleague(installation, 'Mina Park')
  await page.clock.install()
  await page.goto('/auth')
  await givePassword(page, mina)
  const old = await readCode(installation, mina.email)
  const again = page.getByRole('button', { name: /^Send another code/ })
  await expect(again).toHaveAttribute('aria-disabled', 'true')
  await page.clock.runFor(60_000)
  // The server's own minute is not over.
  await again.click()
  await expect(page.getByText('Failed to Resend Code')).toBeVisible()
  await expect(page.getByText('Please wait a minute before asking for another code.')).toBeVisible()
  const aMinuteAgo = new Date(Date.now() - 61_000).toISOString()
  await beside(installation, db =>
    db
      .updateTable('pending_sign_ins')
      .set({ code_sent_at: aMinuteAgo })
      .where('user_id', '=', mina.id)
      .execute(),
  )
  await page.clock.runFor(60_000)
  await again.click()
  await expect(page.getByText('Code Sent')).toBeVisible()
  await expect(page.getByText('A new verification code has been sent to your email.')).toBeVisible()
  const fresh = await readCode(installation, mina.email)
  await page.getByLabel('Verification code').fill(old)
  await page.getByRole('button', { name: 'Verify' }).click()
  if (old !== fresh) await expect(page.getByText('Verification Failed', { exact: true })).toBeVisible()
  await page.getByLabel('Verification code').fill(fresh)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a trusted device is not asked for a code the next time', async ({ page, installation }) => {
  const mina = await addColleague(installation, 'Mina Park')
  await page.goto('/auth')
  await givePassword(page, mina)
  await page.getByLabel('Verification code').fill(await readCode(installation, mina.email))
  await page.getByLabel('Trust this device for 30 days').check()
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.locator('summary', { hasText: 'Mina Park' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('Logout Successful')).toBeVisible()
  await page.goto('/auth')
  await givePassword(page, mina)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Login Successful')).toBeVisible()
  await expect(page.getByText('Welcome back, Mina Park!')).toBeVisible()
})

test('five wrong codes end the attempt, and the right one comes too late', async ({ page, installation }) => {
  const mina = await addColleague(installation, 'Mina Park')
  await page.goto('/auth')
  await givePassword(page, mina)
  const right = await readCode(installation, mina.email)
  const wrong = right === '000000' ? '111111' : '000000'
  const verify = page.getByRole('button', { name: 'Verify' })
  for (const code of [wrong, wrong, wrong, wrong, wrong, right]) {
    await page.getByLabel('Verification code').fill(code)
    const answer = page.waitForResponse('**/api/auth/verify-2fa')
    await verify.click()
    expect((await answer).status()).toBe(401)
    await expect(page.getByText('Verification Failed', { exact: true })).toBeVisible()
  }
  await page.getByRole('button', { name: 'Start again' }).click()
  await givePassword(page, mina)
  await page.getByLabel('Verification code').fill(await readCode(installation, mina.email))
  await verify.click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('who is not an admin is led to a dashboard that says what is closed', async ({ page, installation }) => {
  const mina = await addColleague(installation, 'Mina Park', { role: 'editor' })
  await signIn(page, installation, mina)
  for (const address of ['/users', '/messages']) {
    await page.goto(address)
    await expect(page).toHaveURL(/\/dashboard$/)
  }
  await expect(page.getByRole('heading', { name: 'User Management' })).toHaveCount(0)
  await expect(page.getByText('Website Settings')).toHaveCount(0)
  await expect(page.getByText('Editor', { exact: true })).toBeVisible()
  for (const name of ['Contact Requests', 'View Applications']) {
    const action = page.getByRole('button', { name })
    await expect(action).toHaveAttribute('aria-disabled', 'true')
    await expect(action).toHaveAccessibleDescription('Only admins can open this.')
  }
  await expect(page.getByRole('link', { name: 'Visit Website' })).toHaveAttribute('href', '/')
})
