import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { expectNoComplaints } from './axe.ts'
import { fill, named } from './inbox.ts'
import { type Installation, signIn, test } from './installation.ts'
import { addStaff, withDatabase } from './staff.ts'

const box = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select message from ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected messages' })
const press = async (page: Page, name: string) =>
  await bar(page).getByRole('button', { name, exact: true }).click()

async function statusesOf(installation: Installation): Promise<Record<string, number>> {
  const rows = await withDatabase(installation, db => db.selectFrom('messages').select('status').execute())
  return Object.fromEntries(
    Object.entries(Object.groupBy(rows, ({ status }) => status)).map(([name, some]) => [
      name,
      some?.length ?? 0,
    ]),
  )
}

test.beforeEach(({ page, installation }) => signIn(page, installation))

test('an admin marks forty messages as spam with a few presses, takes that back, and deletes others', async ({
  page,
  installation,
}) => {
  await fill(installation, [...named('Junk', 40), ...named('Ana', 3)])
  await page.goto('/messages')
  await box(page, 'Junk 0').check()
  await box(page, 'Junk 39').click({ modifiers: ['Shift'] })
  await expect(bar(page).getByRole('status')).toHaveText('40 selected')
  await expectNoComplaints(page)
  await press(page, 'Spam')
  await expect(bar(page).getByRole('status')).toHaveText('40 messages marked as spam.')
  expect(await statusesOf(installation)).toEqual({ spam: 40, open: 3 })
  await expect(box(page, 'Junk 0')).toHaveCount(0)
  await press(page, 'Undo')
  await expect(bar(page).getByRole('status')).toHaveText('40 messages are as they were.')
  expect(await statusesOf(installation)).toEqual({ open: 43 })
  await expect(box(page, 'Junk 39')).toHaveCount(1)

  await page.getByRole('link', { name: 'Ana 0' }).focus()
  await page.keyboard.press('x')
  await expect(box(page, 'Ana 0')).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeHidden()
  // A press right after rows have moved does nothing.
  await expect(async () => await box(page, 'Ana 1').check()).toPass()
  await withDatabase(installation, db => db.deleteFrom('messages').where('name', '=', 'Ana 1').execute())
  await box(page, 'Ana 2').check()
  await press(page, 'Delete')
  const dialog = page.getByRole('alertdialog', { name: 'Delete 2 messages' })
  await dialog.getByRole('button', { name: 'Delete 2 messages' }).click()
  await expect(bar(page).getByRole('status')).toHaveText(
    '1 message deleted. 1 could not be changed: This message no longer exists.',
  )
  await expect(bar(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('a selection outlives a refetch, ends with another filter, and its messages are assigned and tagged', async ({
  page,
  installation,
}) => {
  const bo = await addStaff(installation, 'Bo', { role: 'editor', inbox: 'answer' })
  await fill(installation, [{ name: 'Ana 0', assignee_id: bo.id }, { name: 'Kiri' }, { name: 'Ana 2' }])
  await page.goto('/messages')
  await box(page, 'Ana 0').check()
  await press(page, 'Select all that match')
  await expect(bar(page).getByRole('status')).toHaveText('All 3 that match selected')
  await withDatabase(installation, db =>
    db.updateTable('messages').set({ status: 'waiting', version: 2 }).where('name', '=', 'Kiri').execute(),
  )
  await press(page, 'Snooze')
  await page
    .getByRole('dialog', { name: 'Snooze 3 messages' })
    .getByRole('button', { name: 'Snooze' })
    .click()
  await expect(bar(page).getByRole('status')).toHaveText(
    /^2 messages snoozed until .* time\. 1 left alone: Somebody else has changed this message\.$/,
  )
  await press(page, 'Undo')
  await expect(bar(page).getByRole('status')).toHaveText('2 messages are as they were.')
  await box(page, 'Ana 0').check()
  await box(page, 'Ana 2').check()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await press(page, 'Assign')
  await page
    .getByRole('dialog', { name: 'Assign 2 messages' })
    .getByRole('button', { name: 'Assign' })
    .click()
  await expect(bar(page).getByRole('status')).toHaveText('2 messages assigned to you.')
  await withDatabase(installation, db =>
    db.updateTable('users').set({ inbox: 'none' }).where('id', '=', bo.id).execute(),
  )
  await press(page, 'Undo')
  await expect(bar(page).getByRole('status')).toHaveText(
    '1 message is as it was. 1 message changed back, but assigned to nobody: its former assignee can no longer answer.',
  )
  await box(page, 'Ana 0').check()
  await press(page, 'Tag')
  const dialog = page.getByRole('dialog', { name: 'Tag 1 message' })
  await dialog.getByLabel('Tag').fill('a,b')
  await dialog.getByRole('button', { name: 'Add tag' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('A tag has no commas and no invisible characters')
  await dialog.getByLabel('Tag').fill('urgent')
  await dialog.getByRole('button', { name: 'Add tag' }).click()
  await expect(bar(page).getByRole('status')).toHaveText('1 message tagged urgent.')
  await box(page, 'Kiri').check()
  await expect(bar(page).getByRole('status')).toHaveText('1 selected')
  await page.getByRole('searchbox').fill('Kiri')
  await expect(page.getByText('1 message found', { exact: true })).toBeVisible()
  await expect(box(page, 'Kiri')).not.toBeChecked()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('"Kiri"')
  expect(text).not.toContain('"Ana 0"')
})

test('an admin merges two enquiries of one person, and takes that back', async ({ page, installation }) => {
  const [first = '', second = ''] = await fill(installation, [
    { name: 'Mai', message: 'May I bring my sister?' },
    { name: 'Mai', message: 'I forgot: she is a nurse.' },
  ])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/messages?message=${first}`)
  const dialog = page.getByRole('dialog', { name: 'Message from Mai' })
  await dialog.getByRole('button', { name: 'Merge one into this' }).click()
  await page
    .getByRole('dialog', { name: 'Merge one into this' })
    .getByRole('button', { name: 'Merge' })
    .click()
  await expect(dialog.getByRole('article').filter({ hasText: 'she is a nurse' })).toContainText(
    `in LF-${second}`,
  )
  await page.goto(`/messages?message=${second}`)
  await expect(page).toHaveURL(new RegExp(`message=${first}$`))
  await dialog.getByRole('button', { name: 'Undo merge' }).click()
  await expect(dialog.getByText('This person’s other enquiries')).toBeVisible()
})
