import { expect } from '@playwright/test'
import { toast } from './expect-texts.ts'
import { fill, openForwardMenu } from './inbox.ts'
import { signIn, testApart } from './installation.ts'
import { chooseRowAction } from './row-actions.ts'

const test = testApart()
test.use({ viewport: { width: 360, height: 740 } })

test.beforeEach(async ({ page, installation }) => {
  await fill(
    installation,
    ['Ana', 'Kiri', 'Bao', 'Sofia', 'Wei'].map(name => ({ name })),
  )
  await signIn(page, installation)
  await page.goto('/messages')
})

test('a toast leaves the buttons of the last row on a phone in reach', async ({ page }) => {
  await chooseRowAction(page, 'message from Wei', 'Forward message from Wei')
  await expect(toast(page)).toContainText('Message Forwarded')
  page.setDefaultTimeout(2_000)
  await chooseRowAction(page, 'message from Wei', 'Delete message from Wei')
  await expect(page.getByRole('alertdialog')).toBeVisible()
})

test('a toast over a dialog can be closed, and outlives the dialog', async ({ page }) => {
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'Ana' }).click()
  await (await openForwardMenu(dialog)).click()
  await expect(dialog.getByRole('status').filter({ hasText: 'Forwarded' })).toBeVisible()
  await toast(page).getByRole('button', { name: 'Close' }).click({ timeout: 3_000 })
  await expect(toast(page)).toBeHidden()

  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'Message from Kiri' })).toBeVisible()
  await (await openForwardMenu(dialog)).click()
  await expect(toast(page)).toContainText('Message Forwarded')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(toast(page)).toContainText('Message Forwarded', { timeout: 2_000 })
})
