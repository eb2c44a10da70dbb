import { expect, type Page } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import { conversation } from '../../src/features/inbox/conversation/contract.ts'
import { scheduledReplies } from '../../src/features/inbox/replies/contract.ts'
import { toOfficeClock } from '../../src/office-time.ts'
import { days } from '../../src/platform/clock.ts'
import { type FakeApi, Refusal } from './fake-api.ts'
import { answerInbox, type Inbox } from './inbox.ts'
import { ADA, answerPortal } from './portal.ts'
import { test } from './story.ts'

test.beforeEach(({ api }) => answerPortal(api))

const dialog = (page: Page) => page.getByRole('dialog')
const text = (page: Page) => dialog(page).getByRole('textbox', { name: /^Reply to/ })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const sendLater = (page: Page) => dialog(page).locator('summary', { hasText: 'Send later' })

async function beginReply(page: Page) {
  await expect(
    dialog(page)
      .getByRole('button', { name: /^Reply/ })
      .last(),
  ).toBeVisible()
  await page.keyboard.press('r')
}

const MEI = newId(new Date())

/** Schedules as the server does. */
function answerScheduling(api: FakeApi, inbox: Inbox) {
  api.on(conversation.saveDraft, ({ body }) => {
    inbox.draft = body
    return {}
  })
  api.on(scheduledReplies.schedule, ({ body, sendsAt }) => {
    inbox.draft = body
    inbox.scheduled = [{ by: { id: ADA.id, name: ADA.name }, sendsAt }]
    return {}
  })
  api.on(scheduledReplies.cancel, () => {
    inbox.scheduled = []
    return {}
  })
}

for (const [width, colorScheme] of [
  [390, 'dark'],
  [1440, 'light'],
] as const)
  test(`a reply is scheduled and its sending cancelled by keyboard, ${width} pixels wide, in ${colorScheme}`, async ({
    page,
    api,
  }) => {
    const inbox = answerInbox(api, ['Mai Nguyen'])
    answerScheduling(api, inbox)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/messages?message=${inbox.messages[0]?.id}`)
    await beginReply(page)
    await text(page).fill('Dear Mai')
    await sendLater(page).press('Enter')
    await expect(button(page, 'Schedule')).toHaveAttribute('aria-disabled', 'true')
    await dialog(page)
      .getByRole('button', { name: /^Tomorrow/ })
      .press('Enter')
    await expect(dialog(page).getByText(/^Your reply goes out .* 9:00 am Sydney time$/)).toBeVisible()
    await expect(text(page)).toBeHidden()
    await page.reload()
    await expect(dialog(page).getByText(/^Your reply goes out/)).toBeVisible()

    await page.keyboard.press('r')
    await expect(text(page)).toHaveValue('Dear Mai')
    await expect(text(page)).toHaveAttribute('readonly')
    await expect(sendLater(page)).toBeHidden()
    await page.keyboard.press('Control+Enter')
    await button(page, 'Cancel sending').press('Enter')
    await expect(dialog(page).getByText(/^Your reply goes out/)).toBeHidden()
    await expect(text(page)).toBeFocused()
    await text(page).fill('Dear Mai, better')
    const writes = api.calls.filter(call => call.endsWith('/scheduled-reply') || call.endsWith('/replies'))
    expect(writes.map(call => call.split(' ')[0])).toEqual(['PUT', 'DELETE'])
  })

test('any date and time of the office can be chosen, and one that is over cannot', async ({ page, api }) => {
  const inbox = answerInbox(api, ['Mai Nguyen'])
  answerScheduling(api, inbox)
  await page.goto(`/messages?message=${inbox.messages[0]?.id}`)
  await beginReply(page)
  await text(page).fill('Dear Mai')
  await sendLater(page).click()
  const at = dialog(page).getByLabel('A date and time, Sydney time')
  // At noon no clock is changed.
  const clock = (after: number) =>
    toOfficeClock(new Date(Date.now() + after), 'Australia/Sydney').replace(/T.*/, 'T12:00')
  await at.fill(clock(-days(1)))
  await expect(dialog(page).getByText('That time has passed.')).toBeVisible()
  await at.fill(clock(days(3)))
  await button(page, 'Schedule').click()
  await expect(dialog(page).getByText(/^Your reply goes out/)).toBeVisible()
  expect(toOfficeClock(new Date(inbox.scheduled[0]?.sendsAt ?? ''), 'Australia/Sydney')).toBe(clock(days(3)))
})

test('what could not be scheduled says why, and stays in the composer', async ({ page, api }) => {
  const inbox = answerInbox(api, ['Mai Nguyen'])
  answerScheduling(api, inbox)
  api.on(scheduledReplies.schedule, () => new Refusal(409, { message: 'No mail provider', code: 'no_mail' }))
  await page.goto(`/messages?message=${inbox.messages[0]?.id}`)
  await beginReply(page)
  await text(page).fill('Dear Mai')
  await sendLater(page).click()
  await dialog(page)
    .getByRole('button', { name: /^Tomorrow/ })
    .click()
  await expect(dialog(page).getByRole('alert')).toContainText('no mail provider is set up')
  await expect(text(page)).toHaveValue('Dear Mai')
  await expect(text(page)).toBeEditable()
})

test('a colleague sees whose reply goes out when, and that one will not because something has been said', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Mai Nguyen'])
  const sendsAt = new Date(Date.now() + days(1)).toISOString()
  inbox.scheduled = [
    { by: { id: MEI, name: 'Mei Chen' }, sendsAt },
    { by: { id: 'bo', name: 'Bo Berg' }, sendsAt, obstacle: 'Something has been said since it was written' },
  ]
  await page.goto(`/messages?message=${inbox.messages[0]?.id}`)
  await expect(dialog(page).getByText(/^Mei Chen’s reply goes out/)).toBeVisible()
  await expect(
    dialog(page).getByText(/^Bo Berg’s reply will not be sent\. Something has been said/),
  ).toBeVisible()
  const cancelled: unknown[] = []
  api.on(scheduledReplies.cancel, input => {
    cancelled.push(input.userId)
    return {}
  })
  await dialog(page).getByRole('button', { name: 'Cancel sending Mei Chen’s reply' }).click()
  await expect.poll(() => cancelled).toEqual([MEI])
})
