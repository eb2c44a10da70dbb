import { expect, type Page } from '@playwright/test'
import { profile } from '../../src/features/profile/contract.ts'
import { openForwardMenu } from '../e2e/inbox.ts'
import { chooseRowAction } from '../e2e/row-actions.ts'
import { answerInbox } from './inbox.ts'
import { ADA, answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

const pane = (page: Page, name: string) => page.getByRole('dialog', { name: `Message from ${name}` })

test.beforeEach(({ api }) => {
  answerPortal(api)
  answerInbox(api, ['Ana', 'Kiri', 'Bao', 'Sofia', 'Wei'])
})

test('someone who does two things in a row is shown one toast at most, for five seconds', async ({
  page,
  api,
}) => {
  api.on(profile.change, () => ({ user: ADA }))
  await page.goto('/dashboard')
  // From here on, time passes only where the story says so.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 10_000)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  // By keys: a toast under the mouse stays.
  await page.getByLabel('Name').press('Enter')
  await expect(toast(page).locator('strong')).toHaveText('No Changes')
  await page.clock.runFor(3000)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('Name').fill('Mina Ito')
  await page.getByLabel('Name').press('Enter')
  await expect(toast(page).locator('strong')).toHaveText('Profile Updated')
  await expect(page.getByText('No Changes')).toHaveCount(0)
  await page.clock.runFor(4900)
  await expect(toast(page)).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast(page)).toBeHidden()
})

test('a toast leaves the buttons of the last row on a phone in reach', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/messages')
  await chooseRowAction(page, 'message from Wei', 'Forward message from Wei')
  await expect(toast(page)).toContainText('Message Forwarded')
  // It stays below the mouse, so that what is tried next is tried beside it.
  await toast(page).hover()
  await chooseRowAction(page, 'message from Wei', 'Delete message from Wei')
  await expect(page.getByRole('alertdialog')).toBeVisible()
})

test('a toast over a dialog can be closed, and outlives the dialog', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/messages')
  await page.clock.install()
  await page.getByRole('link', { name: 'Ana' }).click()
  await (await openForwardMenu(pane(page, 'Ana'))).click()
  await expect(pane(page, 'Ana').getByRole('status').filter({ hasText: 'Forwarded' })).toBeVisible()
  await toast(page).getByRole('button', { name: 'Close' }).click()
  await expect(toast(page)).toBeHidden()

  await page.keyboard.press('ArrowRight')
  await expect(pane(page, 'Kiri')).toBeVisible()
  await (await openForwardMenu(pane(page, 'Kiri'))).click()
  await expect(toast(page)).toContainText('Message Forwarded')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(toast(page)).toContainText('Message Forwarded')
})
