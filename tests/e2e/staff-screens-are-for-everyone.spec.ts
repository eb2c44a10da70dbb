import { expect } from '@playwright/test'
import { readPasswordLink } from '../support/password-links.ts'
import { devices, expectNoComplaints } from './axe.ts'
import { enterPassword, openDashboard, test } from './installation.ts'
import { chooseRowAction } from './row-actions.ts'
import { addStaff } from './staff.ts'

const LONG_NAME = 'Bartholomew Featherstonehaugh-Cholmondeley of the Northern Districts'

for (const { device, viewport } of devices)
  test.describe(`on a ${device}`, () => {
    test.use({ viewport })
    test.beforeEach(() => test.slow(true, 'axe looks at a dozen states'))

    test('the sign-in and the verification have nothing that axe complains of', async ({
      page,
      installation,
    }) => {
      await page.goto('/auth')
      await expectNoComplaints(page)
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.locator('.field-error').first()).toBeVisible()
      await expectNoComplaints(page)
      const mina = await addStaff(installation, 'Mina Park')
      await enterPassword(page, mina)
      await expect(page.getByLabel('Verification code')).toBeVisible()
      await expectNoComplaints(page)
      await page.goto('/verify-email?token=x')
      await expect(page.getByText('Invalid verification token')).toBeVisible()
      await expectNoComplaints(page)
      await page.goto('/forgot-password')
      await page.getByRole('button', { name: 'Send the link' }).click()
      await expect(page.locator('.field-error').first()).toBeVisible()
      await expectNoComplaints(page)
      await page.getByLabel('Email').fill(mina.email)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
      await expectNoComplaints(page)
      await page.goto(await readPasswordLink(installation, mina.email))
      await page.getByRole('button', { name: 'Set password' }).click()
      await expect(page.locator('.field-error').first()).toBeVisible()
      await expectNoComplaints(page)
      await page.goto('/set-password#token=x')
      await expect(page.getByText('This link does not work.')).toBeVisible()
      await expectNoComplaints(page)
    })

    test('the dashboard, the profile and the users have nothing that axe complains of', async ({
      page,
      installation,
    }) => {
      await addStaff(installation, LONG_NAME, { email_verified: 0 })
      await openDashboard(page, installation)
      await expect(page.locator('.dashboard-profile-name')).toBeVisible()
      await expectNoComplaints(page)
      await page.getByRole('button', { name: 'Edit Profile' }).click()
      await expect(page.locator('.profile-session').first()).toBeVisible()
      await page.getByLabel('New password', { exact: true }).fill('Passw0rd!')
      await expectNoComplaints(page)
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.locator('.field-error').first()).toBeVisible()
      await expectNoComplaints(page)

      await page.goto('/users')
      await expect(page.locator('.users')).toBeVisible()
      await expectNoComplaints(page)
      await page.getByRole('button', { name: 'Add User' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click()
      await expect(page.locator('.field-error').first()).toBeVisible()
      await expectNoComplaints(page)
      await page.keyboard.press('Escape')
      await chooseRowAction(page, LONG_NAME, `Edit: ${LONG_NAME}`)
      await expectNoComplaints(page)
      await page.keyboard.press('Escape')
      await chooseRowAction(page, LONG_NAME, `Delete: ${LONG_NAME}`)
      await expectNoComplaints(page)
    })

    test("a viewer's dashboard has nothing that axe complains of", async ({ page, installation }) => {
      await openDashboard(page, installation, await addStaff(installation, 'Mina Park'))
      await expect(page.locator('.dashboard-profile-name')).toBeVisible()
      await expectNoComplaints(page)
    })
  })
