import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { fill, named } from './inbox.ts'
import { type Installation, signIn, test } from './installation.ts'
import { addStaff, withDatabase } from './staff.ts'

const box = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select message from ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected enquiries' })
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
  await press(page, 'Spam')
  await expect(bar(page).getByRole('status')).toHaveText('40 enquiries marked as spam.')
  expect(await statusesOf(installation)).toEqual({ spam: 40, open: 3 })
  await expect(box(page, 'Junk 0')).toHaveCount(0)
  await press(page, 'Undo')
  await expect(bar(page).getByRole('status')).toHaveText('40 enquiries are as they were.')
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
  const dialog = page.getByRole('alertdialog', { name: 'Delete 2 enquiries' })
  await dialog.getByRole('button', { name: 'Delete 2 enquiries' }).click()
  await expect(bar(page).getByRole('status')).toHaveText(
    '1 enquiry deleted. 1 could not be changed: This enquiry no longer exists.',
  )
  await expect(bar(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('a selection outlives a refetch, ends with another filter, and its messages are assigned and tagged', async ({
  page,
  installation,
}) => {
  const bo = await addStaff(installation, 'Bo', { role: 'editor', inbox: 'answer' })
  await fill(installation, [{ name: 'Ana 0', assignee_id: bo.id }, { name: 'Kiri' }, { name: 'Ana 2' }])
  await page.goto('/messages?status=all')
  await box(page, 'Ana 0').check()
  await press(page, 'Select all that match')
  await expect(bar(page).getByRole('status')).toHaveText('All 3 that match selected')
  await withDatabase(installation, db =>
    db.updateTable('messages').set({ status: 'waiting', version: 2 }).where('name', '=', 'Kiri').execute(),
  )
  await press(page, 'Snooze')
  await page
    .getByRole('dialog', { name: 'Snooze 3 enquiries' })
    .getByRole('button', { name: 'Snooze' })
    .click()
  await expect(bar(page).getByRole('status')).toHaveText(
    /^2 enquiries snoozed until .* time\. 1 left alone: Somebody else has changed this enquiry\.$/,
  )
  await press(page, 'Undo')
  await expect(bar(page).getByRole('status')).toHaveText('2 enquiries are as they were.')
  await box(page, 'Ana 0').check()
  await box(page, 'Ana 2').check()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await press(page, 'Assign')
  await page
    .getByRole('dialog', { name: 'Assign 2 enquiries' })
    .getByRole('button', { name: 'Assign' })
    .click()
  await expect(bar(page).getByRole('status')).toHaveText('2 enquiries assigned to you.')
  await withDatabase(installation, db =>
    db.updateTable('users').set({ inbox: 'none' }).where('id', '=', bo.id).execute(),
  )
  await press(page, 'Undo')
  await expect(bar(page).getByRole('status')).toHaveText(
    '1 enquiry is as it was. 1 enquiry changed back, but assigned to nobody: its former assignee can no longer answer.',
  )
  await box(page, 'Ana 0').check()
  await press(page, 'Tag')
  const dialog = page.getByRole('dialog', { name: 'Tag 1 enquiry' })
  await dialog.getByLabel('Tag').fill('a,b')
  await dialog.getByRole('button', { name: 'Add tag' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('A tag has no commas and no invisible characters')
  await dialog.getByLabel('Tag').fill('urgent')
  await dialog.getByRole('button', { name: 'Add tag' }).click()
  await expect(bar(page).getByRole('status')).toHaveText('1 enquiry tagged urgent.')
  await box(page, 'Kiri').check()
  await expect(bar(page).getByRole('status')).toHaveText('1 selected')
  await page.getByRole('searchbox').fill('Kiri')
  await expect(page.getByText('1 enquiry found', { exact: true })).toBeVisible()
  await expect(box(page, 'Kiri')).not.toBeChecked()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByLabel('Include spam, which is left out otherwise')).not.toBeChecked()
  await page.getByRole('link', { name: 'Download CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('"Kiri"')
  expect(text).not.toContain('"Ana 0"')
})

test('two enquiries with one telephone number are merged once somebody says who gets the replies, what is merged stands in order of time with its answers, and it can be taken back (found A1) (found I1)', async ({
  page,
  installation,
}) => {
  const [newer = '', older = ''] = await fill(installation, [
    { name: 'Eve', email: 'eve@stranger.test', phone: '0412 345 678', message: 'A stranger asks.' },
    {
      ...{
        name: 'Ana Reyes',
        email: 'ana@client.test',
        phone: '+61 412 345 678',
        message: 'My visa was refused.',
      },
      details: '{"location":"In Australia"}',
    },
  ])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/messages?message=${newer}`)
  const pane = page.getByRole('dialog', { name: 'Message from Eve' })
  await expect(pane.getByText('This person’s other enquiries')).toBeHidden()
  const hints = pane.getByRole('list').filter({ hasText: 'ana@client.test' })
  await expect(pane.getByRole('heading', { name: 'Same telephone, other address' })).toBeVisible()
  await expect(hints).toContainText('Ana Reyes, ana@client.test')
  await pane.getByRole('button', { name: 'Merge with another' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge two enquiries' })
  const mergeButton = dialog.getByRole('button', { name: 'Merge', exact: true })
  for (const radio of await dialog.getByRole('radio').all()) await expect(radio).not.toBeChecked()
  await mergeButton.click()
  await expect(dialog.getByText('Choose an enquiry.')).toBeVisible()
  await dialog.getByRole('radio', { name: /Ana Reyes, ana@client\.test.*other address/ }).check()
  await expect(dialog.getByRole('alert')).toContainText('These are two addresses.')
  await mergeButton.click()
  await expect(dialog.getByText('Choose who gets the replies.')).toBeVisible()
  await dialog.getByRole('radio', { name: /Eve, eve@stranger\.test/ }).check()
  await expect(
    dialog.getByText('Replies go to Eve, eve@stranger.test. Ana Reyes, ana@client.test, gets none.'),
  ).toBeVisible()
  await dialog.getByRole('radio', { name: /Ana Reyes, ana@client\.test.*stays/ }).check()
  await expect(
    dialog.getByText('Replies go to Ana Reyes, ana@client.test. Eve, eve@stranger.test, gets none.'),
  ).toBeVisible()
  await mergeButton.click()

  // The one that gets the replies stays, and is shown.
  await expect(page).toHaveURL(new RegExp(`message=${older}$`))
  const kept = page.getByRole('dialog', { name: 'Message from Ana Reyes' })
  await kept.getByRole('button', { name: 'Reply' }).first().click()
  await expect(kept.getByText('Goes to Ana Reyes ana@client.test')).toBeVisible()
  const left = kept.getByText('Not to Eve eve@stranger.test')
  await expect(left).toBeVisible()
  await kept.getByRole('button', { name: 'Add to Cc' }).click()
  await expect(kept.getByRole('textbox', { name: 'Cc' })).toHaveValue('eve@stranger.test')
  await expect(left).toBeHidden()

  await test.step('what is merged stands in order of time', async () => {
    const [newer = '', older = ''] = await fill(installation, [
      { name: 'Mai', message: 'I forgot: she is a nurse.' },
      { name: 'Mai', message: 'May I bring my sister?', details: '{"location":"In Australia"}' },
    ])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/messages?message=${newer}`)
    const pane = page.getByRole('dialog', { name: 'Message from Mai' })
    await pane.getByRole('button', { name: 'Merge with another' }).click()
    await page
      .getByRole('dialog', { name: 'Merge two enquiries' })
      .getByRole('button', { name: 'Merge' })
      .click()
    const articles = pane.getByRole('article')
    await expect(articles.first()).toContainText('May I bring my sister?')
    await expect(articles.first().getByRole('row', { name: 'Where now In Australia' })).toBeVisible()
    await expect(articles.nth(1)).toContainText('she is a nurse')
    await pane
      .getByRole('link', { name: `LF-${older}` })
      .last()
      .click()
    await expect(articles.first()).toBeFocused()
    await page.goto(`/messages?message=${older}`)
    await expect(page).toHaveURL(new RegExp(`message=${newer}$`))
    await pane.getByRole('button', { name: 'Undo merge' }).click()
    await expect(pane.getByText('This person’s other enquiries')).toBeVisible()
  })
})
