import { expect } from '@playwright/test'
import { enterPassword, openDashboard, readCode, signInByHand, test } from './installation.ts'
import { addStaff } from './staff.ts'

const OTHER_PASSWORD = 'Amber-Ferry-3-Window?'

test('a password manager leads to where the password is changed, which ends the other sessions, and where somebody changes their name, sees where they are signed in and ends it there', async ({
  page,
  installation,
  browser,
}) => {
  const mina = await addStaff(installation, 'Mina Park')
  await page.goto(`${installation.url}/.well-known/change-password`)
  await expect(page).toHaveURL(/\/auth\?next=/)
  await enterPassword(page, mina)
  await page.getByLabel('Verification code').fill(await readCode(installation, mina.email))
  await page.getByRole('button', { name: 'Verify' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await expect(dialog.getByLabel('New password', { exact: true })).toBeVisible()
  await page.goto(`${installation.url}/.well-known/change-password`)
  await expect(dialog).toBeVisible()
  const other = await (await browser.newContext()).newPage()
  await openDashboard(other, installation, mina)
  const save = dialog.getByRole('button', { name: 'Save changes' })
  await dialog.getByLabel('New password', { exact: true }).fill(OTHER_PASSWORD)
  await save.click()
  await expect(dialog.getByText('Please enter your current password')).toBeVisible()
  await dialog.getByLabel('Current password').fill('not the one')
  await save.click()
  await expect(dialog.locator('.field-error')).toHaveText('This is not your current password')
  await expect(dialog.getByLabel('Current password')).toBeFocused()
  await dialog.getByLabel('Current password').fill(mina.password)
  await save.click()
  await expect(page.getByText('Profile Updated')).toBeVisible()
  await installation.mailServer.next(
    ({ recipients, subject }) => recipients.includes(mina.email) && subject === 'Your password was changed',
  )
  await other.reload()
  await expect(other).toHaveURL(/\/auth\?next=/)
  await signInByHand(other, installation, { ...mina, password: OTHER_PASSWORD })
  await other.context().close()
  // This browser goes on, and so do its changes.
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await dialog.getByLabel('Name').fill('Mina Ito')
  await save.click()
  await expect(page.locator('.dashboard-profile-name')).toHaveText('Mina Ito')
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await expect(page).toHaveURL(/\/dashboard\?profile=edit$/)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('No Changes')).toBeVisible()
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Name').fill('Al')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog.getByText('Name must be at least 3 characters')).toBeVisible()
  await dialog.getByLabel('Name').fill('Mina Roth')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Profile Updated')).toBeVisible()
  await expect(page.locator('.dashboard-profile-name')).toHaveText('Mina Roth')
  await expect(page.locator('summary', { hasText: 'Mina Roth' })).toBeVisible()

  await test.step('somebody sees where they are signed in, and ends it there', async () => {
    const mina = await addStaff(installation, 'Mina Park')
    const others = []
    for (const _ of [1, 2, 3]) {
      const other = await (await browser.newContext()).newPage()
      await openDashboard(other, installation, mina)
      others.push(other)
    }
    await openDashboard(page, installation, mina)
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    const rows = dialog.locator('.profile-session')
    await expect(rows).toHaveCount(4)
    await expect(rows.first()).toContainText('This browser')
    await expect(rows.first()).toContainText(/Chrome on \w+/)
    await expect(rows.first()).toContainText('Last seen')
    await expect(rows.first().getByRole('button')).toHaveCount(0)

    await rows.nth(1).getByRole('button').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('That browser has been signed out.')).toBeVisible()
    await expect(rows).toHaveCount(3)
    await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
    const question = page.getByRole('alertdialog', { name: 'Sign out everywhere else' })
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await question.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('You are now signed in only in this browser.')).toBeVisible()
    await expect(rows).toHaveCount(1)
    for (const other of others) {
      await other.reload()
      await expect(other).toHaveURL(/\/auth\?next=/)
      await other.context().close()
    }
  })
})
