import { expect } from '@playwright/test'
import { fill } from './inbox.ts'
import { openDashboard, openInstallation, testApart } from './installation.ts'
import { save } from './settings.ts'

/** Nobody has set it up yet. */
const test = testApart(() => openInstallation({ SMTP_URL: '', MAIL_FROM: '' }))

test('an admin of a new installation sees what to do first, what is new, and that no mail is sent', async ({
  page,
  installation,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const visitors = ['Ana', 'Bo', 'Cy', 'Di', 'Ed', 'Flo'].map(name => ({ name, message: `I am ${name}.` }))
  const [newest] = await fill(installation, visitors)
  await openDashboard(page, installation)
  const unread = page.getByRole('region', { name: 'Newest unread' })
  await expect(unread.getByRole('listitem')).toHaveCount(5)
  await expect(unread.getByRole('link', { name: /^Ana/ })).toContainText('I am Ana.')
  const rail = page.getByRole('navigation', { name: 'Screens' })
  await expect(rail.getByRole('link', { name: 'Messages' })).toContainText('6 unread')

  // The notice goes for a day, and only in this browser.
  const notice = page.getByRole('complementary', { name: 'Email delivery' })
  await expect(notice).toContainText('No mail provider is set up.')
  expect((await notice.boundingBox())?.height).toBeLessThanOrEqual(48)
  await notice.getByRole('button', { name: 'Hide for a day' }).click()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(unread).toBeVisible()
  await expect(notice).toBeHidden()
  await page.clock.install({ time: Date.now() + 25 * 3600 * 1000 })
  await page.reload()
  await expect(notice).toBeVisible()

  await unread.getByRole('link', { name: /^Ana/ }).click()
  await expect(page).toHaveURL(`/messages?message=${newest}`)
  await expect(page.getByRole('dialog', { name: 'Message from Ana' })).toBeVisible()
  await expect(page.getByRole('main').getByText('5 unread')).toBeVisible()
  await page.keyboard.press('Escape')
  await rail.getByRole('link', { name: 'Dashboard' }).click()

  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText('0 of 12 done')
  await steps.getByRole('button', { name: 'Not needed: Enter your fees' }).click()
  await expect(steps).toContainText('1 of 12 done')
  await steps.getByRole('link', { name: 'Enter your office hours' }).click()
  await expect(
    page.locator('[data-field^="officeHours"] :focus, [data-field="officeHours"]:focus'),
  ).toHaveCount(1)
  await page.goto('/dashboard')
  await steps.getByRole('link', { name: 'Start' }).click()
  await page.getByLabel('Site name').fill('Southern Cross Migration')
  await page.getByLabel('Contact phone').fill('+61 2 9000 0000')
  await save(page)
  await expect(page.locator('#toast')).toContainText('Settings Updated')
  await rail.getByRole('link', { name: 'Dashboard' }).click()
  await expect(steps).toContainText('2 of 12 done')
})
