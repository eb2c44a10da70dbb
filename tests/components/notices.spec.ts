import { expect, type Page } from '@playwright/test'
import { messages } from '../../src/features/inbox/contract.ts'
import { type Notice, notices } from '../../src/features/inbox/notices/contract.ts'
import { profile } from '../../src/features/profile/contract.ts'
import { type FakeApi, Refusal } from './fake-api.ts'
import { answerInbox, type Inbox, named } from './inbox.ts'
import { ADA, answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

test.beforeEach(({ api }) => answerPortal(api))

/** Keeps a notice of each of these messages, as the server does. */
function answerNotices(api: FakeApi, inbox: Inbox, count: number): Notice[] {
  const kept = inbox.messages.slice(0, count).map(
    ({ id, reference, name }, at): Notice => ({
      ...{ messageId: id, reference, name, by: at === 3 ? null : 'Mei Chen' },
      kind: at % 2 === 0 ? 'assigned' : 'mentioned',
      createdAt: new Date(2026, 10, 23, 14, 40 + at).toISOString(),
    }),
  )
  const counts = { open: 9, mine: 0, nobody: 0, overdue: 0, waiting: 0, snoozed: 0, spam: 0, unread: 0 }
  api.on(messages.counts, () => ({ ...counts, notices: kept.length, isPartial: false }))
  api.on(notices.list, () => ({ notices: kept.toReversed() }))
  api.on(notices.delete, ({ messageId, until }) => {
    const isLeft = (notice: Notice) => messageId && notice.messageId !== messageId
    const left = kept.filter(notice => notice.createdAt > until || isLeft(notice))
    kept.splice(0, kept.length, ...left)
    return {}
  })
  return kept
}

const region = (page: Page) => page.getByRole('region', { name: /waiting for you/ })

for (const width of [390, 1440])
  test(`what colleagues have left is above the list ${width} pixels wide, and goes when it is opened, by keyboard`, async ({
    page,
    api,
  }) => {
    const inbox = answerInbox(api, named('Visitor', 9))
    const kept = answerNotices(api, inbox, 5)
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/messages')
    await expect(region(page).getByRole('heading')).toHaveText('5 are waiting for you')
    await expect(page).toHaveTitle(/^\(5\) Messages/)
    await expect(region(page).getByRole('link')).toHaveCount(3)
    await expect(region(page).getByRole('link').first()).toContainText('Mei Chen assigned it to you')
    await expect(region(page).getByRole('link').nth(1)).toContainText('A colleague named you in a note')
    await region(page).getByRole('button', { name: 'Show all 5' }).press('Enter')
    await expect(region(page).getByRole('link')).toHaveCount(5)

    await region(page).getByRole('link').last().press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect.poll(() => kept.length).toBe(4)
    await page.keyboard.press('Escape')
    await expect(region(page).getByRole('heading')).toHaveText('4 are waiting for you')
    await page.goBack()
    await region(page).getByRole('button', { name: 'Mark all as seen' }).press('Enter')
    await expect(region(page)).toBeHidden()
    await expect(page).toHaveTitle(/^Messages/)
    expect(kept).toEqual([])
  })

test('a notice that cannot be forgotten stays, and says nothing', async ({ page, api }) => {
  const inbox = answerInbox(api, ['Mai'])
  answerNotices(api, inbox, 1)
  api.refuse(notices.delete, new Refusal(500))
  await page.goto('/messages')
  await expect(region(page).getByRole('heading')).toHaveText('One enquiry is waiting for you')
  await region(page).getByRole('link').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect.poll(() => api.calls.filter(call => call.startsWith('DELETE')).length).toBe(1)
  await expect(toast(page)).toBeHidden()
  await expect(region(page)).toHaveCount(1)
})

test('everybody chooses whether an email says it', async ({ page, api }) => {
  let noticeEmails = true
  api.on(profile.read, () => ({ signature: '', noticeEmails }))
  api.on(profile.change, change => {
    noticeEmails = change.noticeEmails ?? noticeEmails
    return { user: { ...{ id: ADA.id, email: ADA.email }, name: change.name ?? ADA.name, role: ADA.role } }
  })
  await page.goto('/dashboard?profile=edit')
  const choice = page.getByRole('checkbox', { name: /^Email me when a colleague assigns/ })
  await expect(choice).toBeChecked()
  await choice.press(' ')
  await page.getByRole('button', { name: 'Save changes' }).press('Enter')
  await expect(toast(page)).toContainText('Profile Updated')
  expect(api.sent.at(-1)).toEqual({ noticeEmails: false })
  await page.goto('/dashboard?profile=edit')
  await expect(choice).not.toBeChecked()
})
