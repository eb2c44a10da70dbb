import { expect, type Page } from '@playwright/test'
import { devices, expectNoComplaints } from './axe.ts'
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

test('a viewer who may read messages searches and opens them, and changes nothing', async ({
  page,
  installation,
}) => {
  const [id = ''] = await fill(installation, [{ name: 'Ana' }, { name: 'Kiri' }])
  await failEmail(installation, id)
  const mina = await addStaff(installation, 'Mina Park', { inbox: 'read' })
  const changes: string[] = []
  page.on('request', request => {
    const isChange = request.method() !== 'GET' && !request.url().endsWith('/presence')
    if (isChange && request.url().includes('/api/messages')) changes.push(request.url())
  })
  await openDashboard(page, installation, mina)
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Contact Requests' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Website Settings' })).toHaveCount(0)
  await account(page, 'Mina Park').locator('summary').click()
  await expect(account(page, 'Mina Park').getByRole('link')).toHaveText(['Dashboard', 'Messages', 'Content'])
  await account(page, 'Mina Park').getByRole('link', { name: 'Messages' }).click()
  await expect(page).toHaveURL(/\/messages$/)
  const rows = page.getByRole('row').filter({ hasText: 'Unread' })
  await expect(rows).toHaveCount(2)
  await rows.first().locator('summary').click()
  await expect(rows.first().getByRole('button')).toHaveText(['View'])
  await page.keyboard.press('Escape')
  await expect(page.getByText('delete', { exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'Ana' }).focus()
  await page.keyboard.press('f')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page, 'Ana')
  await expect(dialog.getByText('554 Mailbox is full')).toBeVisible()
  for (const name of ['Delete', 'Close enquiry', 'Reply', 'Note', 'Retry', 'Remove the tag'])
    await expect(dialog.getByRole('button', { name })).toHaveCount(0)
  await expect(dialog.locator('details[data-menu]')).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(dialogOf(page, 'Kiri')).toBeVisible()
  await expectNoComplaints(page)
  await page.reload()
  await expect(dialogOf(page, 'Kiri')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(2)
  expect(changes).toEqual([])
})

test('an editor who may answer marks, forwards and retries, but does not delete', async ({
  page,
  installation,
}) => {
  const [id = ''] = await fill(installation, [{ name: 'Ana' }])
  await failEmail(installation, id)
  const kim = await addStaff(installation, 'Kim Ito', { role: 'editor', inbox: 'answer' })
  await signIn(page, installation, kim)
  await page.goto('/messages')
  const row = page.getByRole('row').filter({ hasText: 'Ana' })
  await expect(row.getByRole('button')).toHaveText(['Reply', 'Forward'])
  await chooseRowAction(page, 'message from Ana', 'View message from Ana')
  await expect(row).not.toContainText('Unread')
  const dialog = dialogOf(page, 'Ana')
  await expect(dialog.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Email Sent', { exact: true })).toBeVisible()
  await (await openForwardMenu(dialog)).click()
  await expect(page.getByText('Message Forwarded', { exact: true })).toBeVisible()
})

test('a grant that changes applies on a portal that is already open', async ({ page, installation }) => {
  // It would notice first.
  await page.route('**/api/events', route => route.abort())
  await fill(installation, [{ name: 'Ana' }])
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
  await grant(installation, mina.id, 'none')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('button', { name: 'Contact Requests' })).toBeVisible()
})

for (const { device, viewport } of devices)
  test(`an admin on a ${device} grants a user access to messages`, async ({ page, installation }) => {
    await page.setViewportSize(viewport)
    const { name } = await addStaff(installation, `Robin ${device}`)
    await signIn(page, installation)
    await page.goto('/users')
    const sent: unknown[] = []
    page.on('request', request => {
      if (request.method() === 'PATCH') sent.push(request.postDataJSON())
    })
    const edit = () => chooseRowAction(page, name, `Edit: ${name}`)
    const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
    const field = dialog.getByLabel('Messages')
    await edit()
    await expect(field).toHaveValue('none')
    await expect(field.getByRole('option')).toHaveText(['No access', 'Read'])
    await field.selectOption('Read')
    await expect(field).toHaveAccessibleDescription('They can search and open messages, and change nothing.')
    await expectNoComplaints(page)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    await edit()
    await dialog.getByLabel('Role').selectOption('Editor')
    await expect(field).toHaveValue('read')
    await field.selectOption('Answer')
    await dialog.getByLabel('Role').selectOption('Viewer')
    await expect(field).toHaveValue('read')
    await dialog.getByLabel('Role').selectOption('Admin')
    await expect(field).toHaveCount(0)
    await dialog.getByLabel('Role').selectOption('Editor')
    await field.focus()
    await page.keyboard.type('Answer')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    expect(sent).toEqual([{ inbox: 'read' }, { role: 'editor', inbox: 'answer' }])
  })
