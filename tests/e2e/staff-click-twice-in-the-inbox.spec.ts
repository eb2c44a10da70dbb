import { expect, type Page } from '@playwright/test'
import { isAtLength } from '../support/at-length.ts'
import { noteText, openMessage, replyText } from './conversation.ts'
import { toast } from './expect-texts.ts'
import { fill } from './inbox.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { button, calls, listenTo, press, question } from './press-twice.ts'
import { withDatabase } from './staff.ts'

const test = testApart()
test.skip(
  !isAtLength,
  'All buttons have one guard, which writes.spec.ts and press-guard.test.ts show in every check',
)

test.beforeEach(async ({ page, installation }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, installation)
})

test('pressing each button of a conversation, of canned replies, of saved views, of notices, of a merge and of work in bulk twice makes each call once', async ({
  page,
  installation,
}) => {
  test.slow()
  await workOnConversation(page, installation)
  await workOnCannedReplies(page, installation)
  await workOnSavedViews(page)
  await workOnNotices(page, installation)
  await workOnMany(page, installation)
})

async function workOnConversation(page: Page, installation: Installation) {
  const [id = ''] = await fill(installation, [{ name: 'Ana', is_read: 1 }])
  const pane = await openMessage(page, id, 'Ana')
  const { sent, stop } = listenTo(page)
  await page.keyboard.press('r')
  await replyText(pane).fill('Dear Ana')
  await pane.locator('summary', { hasText: 'Send later' }).click()
  await press(button(pane, /^Tomorrow/), calls['scheduledReplies.schedule'])
  await press(button(pane, 'Cancel sending'), calls['scheduledReplies.cancel'])
  await press(button(pane, /^Send reply/), calls['conversation.reply'])
  await press(button(pane, /^Undo/), calls['conversation.undoReply'])
  await expect(replyText(pane)).toHaveValue('Dear Ana')
  await press(button(pane, /^Send reply/), calls['conversation.reply'])
  await expect(pane.getByText(/^Sending in/)).toBeVisible()
  await failReply(installation, id)
  await openMessage(page, id, 'Ana')
  await press(button(pane, 'Send again'), calls['conversation.retryReply'])
  await expect(button(pane, 'Send again')).toBeHidden()
  await page.keyboard.press('n')
  await noteText(pane).fill('She is a nurse')
  await press(button(pane, /^Add note/), calls['conversation.addNote'])
  await expect(pane.getByText('Note, staff only')).toHaveCount(1)
  await pane.locator('summary[aria-label="More actions"]').click()
  await button(pane, 'Add phone call').click()
  await pane.getByRole('textbox').last().fill('She called')
  await press(button(pane, 'Add phone call').last(), calls['conversation.addCall'])
  await expect(pane.getByText('called Ana')).toHaveCount(1)
  await press(button(pane, /^Close enquiry/).first(), calls['messages.change'])
  await expect(button(pane, /^Reopen/).first()).toBeVisible()
  await page.keyboard.press('r')
  await press(button(pane, 'Send Consumer Guide'), calls['conversation.sendConsumerGuide'])
  await expect(pane.getByText(/^Sending in/)).toBeVisible()
  const { 'conversation.reply': reply, 'conversation.undoReply': undo } = calls
  const { 'conversation.retryReply': retry, 'conversation.addNote': note } = calls
  const { 'scheduledReplies.schedule': schedule, 'scheduledReplies.cancel': cancel } = calls
  const { 'conversation.addCall': call, 'conversation.sendConsumerGuide': guide } = calls
  stop()
  expect(sent).toEqual([
    schedule,
    cancel,
    reply,
    undo,
    reply,
    retry,
    note,
    call,
    calls['messages.change'],
    guide,
  ])
}

async function workOnMany(page: Page, installation: Installation) {
  const [id = ''] = await fill(installation, [
    { name: 'Ana', is_read: 1 },
    { name: 'Ana', is_read: 1 },
  ])
  const pane = await openMessage(page, id, 'Ana')
  const { sent, stop } = listenTo(page)
  await button(pane, 'Merge with another').click()
  const choice = page.getByRole('dialog', { name: 'Merge two enquiries' })
  await press(button(choice, 'Merge'), calls['merge.into'])
  await press(button(pane, 'Undo merge'), calls['merge.undo'])
  await page.goto('/messages')
  await page.getByRole('checkbox', { name: 'Select message from Ana' }).first().check()
  await press(button(page, 'Spam').last(), calls['bulk.change'])
  await expect(page.getByText('1 enquiry marked as spam.')).toBeVisible()
  stop()
  expect(sent).toEqual([calls['merge.into'], calls['merge.undo'], calls['bulk.change']])
}

async function workOnCannedReplies(page: Page, installation: Installation) {
  await withDatabase(installation, db => db.deleteFrom('canned_replies').execute())
  const [id = ''] = await fill(installation, [{ name: 'Ana', is_read: 1 }])
  const pane = await openMessage(page, id, 'Ana')
  const { sent, stop } = listenTo(page)
  await page.keyboard.press('r')
  const edit = await openCanned(page)
  await button(edit, 'Add a canned reply').click()
  const form = page.getByRole('dialog', { name: 'Add a canned reply' })
  await form.getByLabel('Title').fill('Hello')
  await form.getByLabel('Text').fill('Dear {name}')
  await press(button(form, 'Save'), calls['cannedReplies.add'])
  await expect(form).toBeHidden()
  await button(edit, 'Edit Hello').click()
  const change = page.getByRole('dialog', { name: 'Edit a canned reply' })
  await change.getByLabel('Title').fill('Greeting')
  await press(button(change, 'Save'), calls['cannedReplies.change'])
  await expect(change).toBeHidden()
  await button(edit, 'Done').click()
  await page.getByRole('dialog', { name: 'Canned replies' }).getByText('Close', { exact: true }).click()
  await press(button(pane, 'Greeting'), calls['cannedReplies.use'])
  await expect(replyText(pane)).toHaveValue('Dear Ana')
  await openCanned(page)
  await button(edit, 'Delete Greeting').click()
  await press(button(question(page), 'Delete'), calls['cannedReplies.delete'])
  await expect(button(edit, 'Delete Greeting')).toBeHidden()
  const { 'cannedReplies.add': add, 'cannedReplies.change': rename } = calls
  const { 'cannedReplies.use': use, 'cannedReplies.delete': remove } = calls
  stop()
  expect(sent).toEqual([add, rename, use, remove])
}

async function workOnSavedViews(page: Page) {
  await page.goto('/messages?q=zebra')
  const { sent, stop } = listenTo(page)
  await page.locator('.inbox-save-view').click()
  const form = page.getByRole('dialog', { name: 'Save as a view' })
  await form.getByLabel('Name').fill('Zebra')
  await press(button(form, 'Save'), calls['savedViews.add'])
  await expect(form).toBeHidden()
  await button(page, 'Edit saved views').filter({ visible: true }).click()
  const edit = page.getByRole('dialog', { name: 'Saved views' })
  await button(edit, 'Rename Zebra').click()
  const change = page.getByRole('dialog', { name: 'Rename a view' })
  await change.getByLabel('Name').fill('Okapi')
  await press(button(change, 'Save'), calls['savedViews.rename'])
  await expect(change).toBeHidden()
  await press(button(edit, 'Delete Okapi'), calls['savedViews.delete'])
  await expect(button(edit, 'Delete Okapi')).toBeHidden()
  await press(button(page, 'Undo'), calls['savedViews.add'])
  await expect(button(edit, 'Delete Okapi')).toBeVisible()
  const { 'savedViews.add': add, 'savedViews.rename': rename, 'savedViews.delete': remove } = calls
  stop()
  expect(sent).toEqual([add, rename, remove, add])
}

async function workOnNotices(page: Page, installation: Installation) {
  const [message_id = ''] = await fill(installation, [{ name: 'Ana' }])
  await withDatabase(installation, async db => {
    const { id: user_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const notice = { user_id, message_id, kind: 'mentioned', by_id: null, emailed_at: null } as const
    await db
      .insertInto('notices')
      .values({ ...notice, created_at: new Date().toISOString() })
      .execute()
  })
  await page.goto('/messages')
  const { sent, stop } = listenTo(page)
  await press(button(page, 'Mark all as seen'), calls['notices.delete'])
  await expect(button(page, 'Mark all as seen')).toBeHidden()
  stop()
  expect(sent).toEqual([calls['notices.delete']])

  await page.goto(`/messages?message=${message_id}`)
  await expect(button(page, 'Follow')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const following = listenTo(page)
  await press(button(page, 'Follow'), calls['notices.follow'])
  await expect(button(page, 'Stop following')).toBeVisible()
  await press(button(page, 'Stop following'), calls['notices.unfollow'], 'Enter')
  await expect(button(page, 'Follow')).toBeVisible()
  await button(page, 'Revoke the link …').click()
  await press(button(page, 'Revoke'), calls['conversation.revokeLinks'])
  await expect(toast(page)).toContainText('There was no link')
  following.stop()
  await pressErasures(page, installation, message_id)
  expect(following.sent).toEqual([
    calls['notices.follow'],
    calls['notices.unfollow'],
    calls['conversation.revokeLinks'],
  ])
}

async function pressErasures(page: Page, installation: Installation, message_id: string) {
  const requested_at = new Date().toISOString()
  const request = { message_id, requested_at, refused_at: null, reason: null }
  await withDatabase(installation, db => db.insertInto('erasure_requests').values(request).execute())
  await page.reload()
  await button(page, 'Refuse …').click()
  await page.getByLabel('Reason').fill('We must keep your file.')
  const decided = listenTo(page)
  await press(button(page, 'Refuse'), calls['erasureRequests.refuse'])
  await expect(page.getByText('Asked to be erased. Refused')).toBeVisible()
  const again = { refused_at: null, reason: null }
  await withDatabase(installation, db => db.updateTable('erasure_requests').set(again).execute())
  await page.reload()
  await button(page, 'Erase …').click()
  await press(button(page, 'Erase'), calls['erasureRequests.erase'])
  await expect(toast(page)).toContainText('Erased')
  decided.stop()
  expect(decided.sent).toEqual([calls['erasureRequests.refuse'], calls['erasureRequests.erase']])
}

async function openCanned(page: Page) {
  await button(page, /^All \d canned replies/).click()
  await button(page, 'Edit canned replies').click()
  return page.getByRole('dialog', { name: 'Edit canned replies' })
}

/** The mail server has refused the reply that waits. */
async function failReply(installation: Installation, messageId: string) {
  await withDatabase(installation, db =>
    db
      .updateTable('outbox')
      .set({ state: 'failed', attempts: 1, last_error: '550 No such user' })
      .where('message_id', '=', messageId)
      .where('kind', '=', 'reply')
      .execute(),
  )
}
