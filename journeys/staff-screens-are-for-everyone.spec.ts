import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { addColleague } from './colleagues.ts'
import { givePassword, signIn, test } from './installation.ts'

const widths = { desk: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } }
const LONG_NAME = 'Bartholomew Featherstonehaugh-Cholmondeley of the Northern Districts'

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [device, viewport] of Object.entries(widths)) {
    test.describe(`on a ${device}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme, reducedMotion: 'reduce' })
      test.beforeEach(() => test.slow(true, 'axe looks at a dozen states'))

      test('the sign-in and the verification have nothing that axe complains of', async ({
        page,
        installation,
      }) => {
        await page.goto('/auth')
        await isForEveryone(page)
        await page.getByRole('button', { name: 'Login' }).click()
        await expect(page.locator('.field-error').first()).toBeVisible()
        await isForEveryone(page)
        const mina = await addColleague(installation, 'Mina Park')
        await givePassword(page, mina)
        await expect(page.getByLabel('Verification code')).toBeVisible()
        await isForEveryone(page)
        await page.goto('/verify-email?token=x')
        await expect(page.getByText('Invalid verification token')).toBeVisible()
        await isForEveryone(page)
      })

      test('the dashboard, the profile and the users have neither', async ({ page, installation }) => {
        await addColleague(installation, LONG_NAME, { email_verified: 0 })
        await signIn(page, installation)
        await expect(page.locator('.profile-name')).toBeVisible()
        await isForEveryone(page)
        await page.getByRole('button', { name: 'Edit Profile' }).click()
        await expect(page.locator('.own-session').first()).toBeVisible()
        await page.getByLabel('New password', { exact: true }).fill('Passw0rd!')
        await isForEveryone(page)
        await page.getByRole('button', { name: 'Save changes' }).click()
        await expect(page.locator('.field-error').first()).toBeVisible()
        await isForEveryone(page)

        await page.goto('/users')
        await expect(page.locator('.users')).toBeVisible()
        await isForEveryone(page)
        await page.getByRole('button', { name: 'Add User' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click()
        await expect(page.locator('.field-error').first()).toBeVisible()
        await isForEveryone(page)
        await page.keyboard.press('Escape')
        await page
          .getByRole('button', { name: `Edit: ${LONG_NAME}` })
          .first()
          .click()
        await isForEveryone(page)
        await page.keyboard.press('Escape')
        await page
          .getByRole('button', { name: `Delete: ${LONG_NAME}` })
          .first()
          .click()
        await isForEveryone(page)
      })

      test("nor has a viewer's dashboard", async ({ page, installation }) => {
        await signIn(page, installation, await addColleague(installation, 'Mina Park'))
        await expect(page.locator('.profile-name')).toBeVisible()
        await isForEveryone(page)
      })
    })
  }
}

/** Nothing that axe finds, and nothing to scroll sideways for. */
async function isForEveryone(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
  const [inner, outer] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(inner).toBeLessThanOrEqual(outer ?? 0)
}
