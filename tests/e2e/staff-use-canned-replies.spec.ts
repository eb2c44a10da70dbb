import { expect, type Route } from '@playwright/test'
import { toast } from './expect-texts.ts'
import { fill } from './inbox.ts'
import { signIn, test } from './installation.ts'
import { addStaff, withDatabase } from './staff.ts'

test('an admin writes a canned reply, inserts it, and sends the Consumer Guide and takes it back', async ({
  page,
  installation,
}) => {
  await withDatabase(installation, db => db.deleteFrom('canned_replies').execute())
  const name = 'Nadia Ito'
  const [id = ''] = await fill(installation, [{ name, service: null, reference: 'LF-FMR7-X9P2' }])
  await signIn(page, installation, await addStaff(installation, 'Tom Okafor', { role: 'admin' }))
  await page.goto(`/messages?message=${id}`)
  await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
  await page.getByRole('button', { name: 'All 0 canned replies' }).click()
  await page.getByRole('button', { name: 'Edit canned replies' }).click()
  await page.getByRole('button', { name: 'Add a canned reply' }).click()
  const form = page.getByRole('dialog', { name: 'Add a canned reply' })
  await form.getByLabel('Title').fill('Documents')
  await form.getByLabel('Text').fill('Dear {nme}, about {service}: ')
  await expect(form.getByRole('alert')).toContainText('There is no placeholder {nme}.')
  await form.getByLabel('Text').fill('Dear {name}, about {service}: ')
  await expect(form).toContainText('Dear Nadia Ito, about Family Migration:')
  await form.getByRole('button', { name: 'Save' }).click()

  // Another admin is quicker.
  await page.getByRole('button', { name: 'Edit Documents' }).click()
  const change = page.getByRole('dialog', { name: 'Edit a canned reply' })
  await change.getByLabel('Title').fill('Papers')
  await withDatabase(installation, db => db.updateTable('canned_replies').set({ body: 'Theirs' }).execute())
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(change.getByRole('alert')).toContainText('to “Documents”:Theirs')
  await expect(change.getByLabel('Title')).toHaveValue('Papers')
  await change.getByLabel('Title').fill('Documents')
  await change.getByRole('button', { name: 'Save anyway' }).click()
  await expect(change).toBeHidden()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog', { name: 'Canned replies' }).getByText('Close', { exact: true }).click()

  const reply = page.getByRole('textbox', { name: 'Reply to Nadia' })
  await reply.fill('Hello! ')
  await page.getByRole('button', { name: 'Documents', exact: true }).click()
  await expect(reply).toHaveValue('Hello! Dear Nadia Ito, about your enquiry:')
  await expect(reply).toBeFocused()
  await reply.press('Control+;')
  await page.getByRole('searchbox', { name: 'Search canned replies' }).fill('docu')
  await page.keyboard.press('Enter')
  await expect(reply).toHaveValue(/enquiry:.*Dear Nadia Ito, about your enquiry:$/)
  await expect(reply).toBeFocused()

  // The answer is lost; the page looks whether it was sent.
  const lose = async (route: Route) => void (await route.fetch().then(() => route.abort()))
  await page.route('**/consumer-guide', lose, { times: 1 })
  const send = page.getByRole('button', { name: 'Send Consumer Guide' })
  await send.click()
  const entry = page.getByRole('article').filter({ hasText: 'the Consumer Guide to Nadia' })
  await expect(entry).toContainText('consumer-guide')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(entry).toBeHidden()
  await expect(reply).toHaveValue(/^Hello! Dear Nadia Ito/)
  await expect(toast(page)).toBeHidden()
  // Right after the first press, a second one counts as a double click.
  await expect(async () => {
    await send.click()
    await expect(entry).toBeVisible({ timeout: 3000 })
  }).toPass()
})
