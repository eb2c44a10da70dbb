import { expect, type Page } from '@playwright/test'
import { failEmail, fill, openForwardMenu } from './inbox.ts'
import { type Installation, openDashboard, signIn, test } from './installation.ts'
import { chooseRowAction } from './row-actions.ts'
import { addStaff, withDatabase } from './staff.ts'

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name: `Message from ${name}` })
const account = (page: Page, name: string) =>
  page.locator('details[data-menu]').filter({ has: page.locator('summary', { hasText: name }) })

async function grant(installation: Installation, id: string, inbox: 'none' | 'read' | 'answer') {
  await withDatabase(installation, db =>
    db.updateTable('users').set({ inbox }).where('id', '=', id).execute(),
  )
}

test('a grant that changes applies on a portal that is already open: who may read only reads, and who may answer marks, forwards and retries, but does not delete', async ({
  page,
  installation,
}) => {
  // It would notice first.
  await page.route('**/api/events', route => route.abort())
  const [id = ''] = await fill(installation, [{ name: 'Ana' }])
  await failEmail(installation, id)
  const mina = await addStaff(installation, 'Mina Park')
  await openDashboard(page, installation, mina)
  await expect(page.getByRole('button', { name: 'Contact Requests' })).toBeVisible()
  await page.goto('/messages')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.evaluate(() => history.pushState(null, '', '/messages'))
  await grant(installation, mina.id, 'read')
  // Back and forward stay in the same document, whose copy of the permissions is the old one.
  await page.goBack()
  await page.goForward()
  await expect(page.getByRole('link', { name: 'Ana' })).toBeVisible()
  await account(page, 'Mina Park').locator('summary').click()
  await expect(account(page, 'Mina Park').getByRole('link')).toHaveText(['Dashboard', 'Messages', 'Content'])
  await account(page, 'Mina Park').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Website Settings' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Contact Requests' }).click()
  await page.getByRole('link', { name: 'Ana' }).click()
  await expect(dialogOf(page, 'Ana')).toContainText('554 Mailbox is full')
  await page.keyboard.press('Escape')
  await grant(installation, mina.id, 'none')
  // Unless the portal has noticed by what it reads itself, and has left already.
  await page
    .getByRole('button', { name: 'Refresh' })
    .click({ timeout: 2000 })
    .catch(() => {})
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('button', { name: 'Contact Requests' })).toBeVisible()

  const kim = await addStaff(installation, 'Kim Ito', { role: 'editor', inbox: 'answer' })
  await signIn(page, installation, kim)
  await page.goto('/messages')
  const row = page.getByRole('row').filter({ hasText: 'Ana' })
  await expect(row.getByRole('button')).toHaveText(['Reply', 'Forward'])
  await chooseRowAction(page, 'message from Ana', 'View message from Ana')
  await expect(row).not.toContainText('Unread')
  const dialog = dialogOf(page, 'Ana')
  await dialog.getByLabel('More actions').click()
  await expect(dialog.getByRole('button', { name: 'Add phone call' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Email Sent', { exact: true })).toBeVisible()
  await (await openForwardMenu(dialog)).click()
  await expect(page.getByText('Message Forwarded', { exact: true })).toBeVisible()
})
