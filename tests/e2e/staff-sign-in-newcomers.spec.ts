import { expect } from '@playwright/test'
import { expectTexts } from './expect-texts.ts'
import { enterPassword, readCode, signInByHand, test } from './installation.ts'
import { addStaff } from './staff.ts'

test('someone signs in for the first time, with a code from an email', async ({ page, installation }) => {
  const mina = await addStaff(installation, 'Mina Park')
  await page.goto('/login')
  await enterPassword(page, { ...mina, email: 'mina.park@' })
  await expectTexts(page, '/auth', 'Please enter a valid email address')
  await enterPassword(page, mina)
  await expectTexts(
    page,
    '/auth',
    'Verification Required',
    'Please enter the verification code sent to your email.',
  )
  const code = page.getByLabel('Verification code')
  await expect(code).toBeFocused()
  await code.fill('12345')
  await page.keyboard.press('Enter')
  await expectTexts(page, '/auth', 'Verification code must be 6 digits')
  await code.fill(await readCode(installation, mina.email))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectTexts(page, '/auth', 'Verification Successful', 'Welcome back, {name}!')
  await expect(page.getByText('Welcome back, Mina Park!')).toBeVisible()
  await page.goto('/auth')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a person who is not an admin gets a dashboard that names the screens they cannot open', async ({
  page,
  installation,
}) => {
  const mina = await addStaff(installation, 'Mina Park', { role: 'editor' })
  await signInByHand(page, installation, mina)
  for (const address of ['/users', '/messages']) {
    await page.goto(address)
    await expect(page).toHaveURL(/\/dashboard$/)
  }
  await expect(page.getByRole('heading', { name: 'User Management' })).toHaveCount(0)
  await expect(page.getByText('Website Settings')).toHaveCount(0)
  await expectTexts(page, '/dashboard', 'Editor')
  for (const name of ['Contact Requests', 'View Applications']) {
    const action = page.getByRole('button', { name })
    await expect(action).toHaveAttribute('aria-disabled', 'true')
    await expect(action).toHaveAccessibleDescription('You have no access to messages. An admin can grant it.')
  }
  await expect(page.getByRole('link', { name: 'Visit Website' })).toHaveAttribute('href', '/')
})
