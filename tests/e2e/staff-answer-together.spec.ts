import { expect } from '@playwright/test'
import {
  chooseByKey,
  noteText,
  openMessage,
  paneOf,
  readConversation,
  readState,
  replyText,
} from './conversation.ts'
import { toast } from './expect-texts.ts'
import { fill } from './inbox.ts'
import { signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()

test('of two people who answer one enquiry at once, the second sees what the first has done before anything is sent or changed', async ({
  page: mei,
  browser,
  installation,
}) => {
  test.slow()
  const person = { email: 'nadia@visitor.test', phone: null }
  const [nadia = ''] = await fill(installation, [{ name: 'Nadia Ito', ...person }])
  const { id: tomId, ...tomOkafor } = await addStaff(installation, 'Tom Okafor', { role: 'admin' })
  await signIn(
    mei,
    installation,
    await addStaff(installation, 'Mei Tanaka', { role: 'editor', inbox: 'answer' }),
  )
  const tom = await (await browser.newContext({ baseURL: installation.url })).newPage()
  await signIn(tom, installation, tomOkafor)
  // Neither hears of the other, as on a line that is interrupted: this is about what the server refuses.
  for (const page of [mei, tom]) await page.route('**/api/events', route => route.abort())
  const [hers, his] = [await openMessage(mei, nadia, 'Nadia Ito'), await openMessage(tom, nadia, 'Nadia Ito')]

  // Tom begins a reply. Mei is faster, takes hers back, and sends what she has edited.
  await tom.keyboard.press('r')
  await tom.keyboard.type('Dear Nadia, I will call you.')
  await mei.keyboard.press('r')
  await mei.keyboard.type('Dear Nadia, the first thought')
  await mei.keyboard.press('Control+Enter')
  await expect(hers.getByText('Sending, not out yet')).toBeVisible()
  await expect(hers.getByText(/^Sending in (10|\d) s$/)).toBeVisible()
  await mei.keyboard.press('z')
  await expect(replyText(hers)).toHaveValue('Dear Nadia, the first thought')
  await expect(replyText(hers)).toBeFocused()
  // Or the line of the first reply would be taken for that of the second.
  await expect(hers.getByText(/^Sending in/)).toHaveCount(0)
  await replyText(hers).fill('Dear Nadia, the second thought')
  await Promise.all([mei.keyboard.press('Control+Enter'), mei.keyboard.press('Control+Enter')])
  await expect(hers.getByText(/^Sending in/)).toBeVisible()

  // What Tom has not seen stops his reply, and his text stays.
  await tom.keyboard.press('Control+Enter')
  await expect(his.getByRole('alert')).toContainText('Dear Nadia, the second thought')
  await expect(replyText(his)).toHaveValue('Dear Nadia, I will call you.')
  await his.getByRole('button', { name: 'Send anyway' }).click()
  await expect(his.getByText(/^Sending in/)).toBeVisible()

  // Of two who change the same version, the second learns who has done what.
  await chooseByKey(tom, his, 'a', 'Me (Tom Okafor)')
  await expect(toast(tom)).toContainText('Assigned to you')
  await mei.locator('.inbox-pane h2').click()
  await mei.keyboard.press('e')
  await expect(toast(mei)).toContainText('Tom Okafor took this enquiry.')
  await expect(hers.locator('.inbox-details')).toContainText('AssignedTom Okafor')
  const { status, assignee_id } = await readState(installation, nadia)
  expect([status, assignee_id]).toEqual(['waiting', tomId])

  const sent = await installation.mailServer.next(
    ({ recipients, text }) =>
      recipients.includes(person.email) && (text ?? '').includes('Dear Nadia, I will call'),
  )
  expect(sent.text).toContain('Tom Okafor')
  const toNadia = installation.mailServer.emails.filter(({ recipients }) => recipients.includes(person.email))
  expect(toNadia.map(({ text }) => text?.split('\n')[0]).sort()).toEqual([
    'Dear Nadia, I will call you.',
    'Dear Nadia, the second thought',
  ])
  expect(await readConversation(installation, nadia)).toEqual([
    'reply: Dear Nadia, the second thought',
    'reply: Dear Nadia, I will call you.',
  ])
  await tom.context().close()
})

test('what somebody writes stays with its enquiry and its kind, across messages, a reload and a lost connection', async ({
  page,
  installation,
}) => {
  const [ana = '', kiri = ''] = await fill(installation, [
    { name: 'Ana', email: 'ana@visitor.test' },
    { name: 'Kiri', email: 'kiri@visitor.test' },
  ])
  await signIn(
    page,
    installation,
    await addStaff(installation, 'Mei Tanaka', { role: 'editor', inbox: 'answer' }),
  )
  const pane = await openMessage(page, ana, 'Ana')
  const other = paneOf(page, 'Kiri')

  // Case 3: an unsaved note, then a reply.
  await page.keyboard.press('n')
  await page.keyboard.type('She must not read this')
  await pane.getByRole('tab', { name: 'Reply to Ana' }).click()
  await expect(replyText(pane)).toHaveValue('')
  await page.keyboard.type('Dear Ana')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await expect(other).toBeVisible()
  await expect(other.getByRole('button', { name: 'Reply' }).first()).toBeVisible()
  await page.keyboard.press('n')
  await expect(noteText(other)).toHaveValue('')
  await page.keyboard.type('About Kiri')
  await expect(other.getByText(/^Draft saved/)).toBeVisible()
  await page.reload()
  await expect(noteText(other)).toHaveValue('About Kiri')
  await page.locator('.inbox-pane h2').click()
  await page.keyboard.press('ArrowLeft')
  await expect(replyText(pane)).toHaveValue('Dear Ana')
  await pane.getByRole('tab', { name: 'Note to the team' }).click()
  await expect(noteText(pane)).toHaveValue('She must not read this')

  // Typed while the server cannot be reached, then reloaded before it was saved.
  await page.route('**/draft', route => route.abort())
  await noteText(pane).fill('Typed in a tunnel')
  await expect(pane.getByText(/^Not saved: offline\. It is kept/)).toBeVisible()
  await page.unroute('**/draft')
  await page.reload()
  await pane.getByRole('tab', { name: 'Note to the team' }).click()
  await expect(noteText(pane)).toHaveValue('Typed in a tunnel')
  await expect(pane.getByText(/^Draft saved/)).toBeVisible()

  // The reply arrives, its answer does not, and by then another enquiry is open.
  await pane.getByRole('tab', { name: 'Reply to Ana' }).click()
  await replyText(pane).fill('Dear Ana, once')
  let isLost = false
  await page.route('**/replies', async route => {
    if (isLost) return await route.continue()
    isLost = true
    await route.fetch()
    await other.waitFor()
    await route.abort()
  })
  const looksForIt = page.waitForResponse(
    reply => new URL(reply.url()).pathname === `/api/messages/${ana}/entries`,
  )
  await replyText(pane).press('Control+Enter')
  await page.locator('.inbox-pane h2').click()
  await page.keyboard.press('ArrowRight')
  await expect(noteText(other)).toHaveValue('About Kiri')
  await (await looksForIt).finished()
  await expect(other.getByText(/^Sending in/)).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await expect(pane.getByText('Sending, not out yet')).toBeVisible()
  await expect(replyText(pane)).toHaveValue('')
  expect(await readConversation(installation, ana)).toEqual(['reply: Dear Ana, once'])
  expect(await readConversation(installation, kiri)).toEqual([])

  // So does a note, whose writer sends it again.
  await page.route('**/notes', async route => void (await route.fetch().then(() => route.abort())), {
    times: 1,
  })
  await pane.getByRole('tab', { name: 'Note to the team' }).click()
  await noteText(pane).fill('A note, once')
  await noteText(pane).press('Control+Enter')
  await expect(toast(page)).toContainText('The note about Ana was not added')
  await expect(noteText(pane)).toHaveValue('A note, once')
  await expect(pane.getByText(/^Draft saved/)).toBeVisible()
  const removesDraft = page.waitForResponse(reply => reply.url().endsWith('/draft'))
  // Right after the first press, a second one counts as a double click.
  await expect(async () => {
    await noteText(pane).press('Control+Enter')
    await expect(noteText(pane)).toBeHidden({ timeout: 3000 })
  }).toPass()
  await removesDraft
  await page.reload()
  await expect(pane.getByText('A note, once')).toHaveCount(1)
  const said = await readConversation(installation, ana)
  expect(said).toEqual(['reply: Dear Ana, once', 'note: A note, once'])
})
