import { expect, type Page } from '@playwright/test'
import { messages } from '../../src/features/inbox/contract.ts'
import { type Notice, notices } from '../../src/features/inbox/notices/contract.ts'
import { profile } from '../../src/features/profile/contract.ts'
import { type FakeApi, Refusal } from './fake-api.ts'
import { answerInbox, type Inbox, NO_COUNTS, named } from './inbox.ts'
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
  api.on(messages.counts, () => ({ ...NO_COUNTS, notices: kept.length }))
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

test('who follows an enquiry by keyboard is given its answers, and a snooze that has ended comes back', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, named('Visitor', 3))
  const kept = answerNotices(api, inbox, 2)
  for (const [at, kind] of (['answered', 'snoozed'] as const).entries())
    Object.assign(kept[at] ?? {}, { by: null, kind })
  const following = new Set<string>()
  api.on(notices.follow, ({ id }) => {
    following.add(id)
    return {}
  })
  api.on(notices.unfollow, ({ id }) => {
    following.delete(id)
    return {}
  })
  inbox.isFollowing = message => following.has(message)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/messages')
  await expect(region(page).getByRole('link')).toContainText([
    '– your snooze has ended',
    '– a new email has come',
  ])
  await page.getByRole('link', { name: 'Visitor 2', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Follow', exact: true }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Stop following' })).toBeFocused()
  expect([...following]).toEqual([inbox.messages[2]?.id])
  await expect(toast(page)).toContainText('You get a notice of each new email')
  await dialog.getByRole('button', { name: 'Stop following' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Follow', exact: true })).toBeFocused()
  expect([...following]).toEqual([])
})

test('the end of a snooze is read when it comes, with no event', async ({ page, api }) => {
  await page.clock.install()
  const inbox = answerInbox(api, ['Mai', 'Ana'])
  const kept = answerNotices(api, inbox, 1)
  let snoozeEndsIn: number | null = 60_000
  api.on(messages.counts, () => ({
    ...{ ...NO_COUNTS, notices: 1 },
    ...{ snoozed: snoozeEndsIn ? 1 : 0, snoozeEndsIn },
  }))
  await page.goto('/messages')
  await expect(region(page).getByRole('link')).toHaveCount(1)
  kept.push({ ...(kept[0] as Notice), kind: 'snoozed', by: null })
  snoozeEndsIn = null
  await page.clock.fastForward(70_000)
  await expect(region(page).getByRole('link')).toHaveCount(2)
})

test('a notice that cannot be forgotten stays, is not asked for again and again, and says nothing', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Mai'])
  answerNotices(api, inbox, 1)
  api.on(notices.delete, async () => {
    // Longer than a second press of a button is held back.
    await new Promise(resolve => setTimeout(resolve, 500))
    return new Refusal(500)
  })
  await page.goto('/messages')
  await expect(region(page).getByRole('heading')).toHaveText('One enquiry is waiting for you')
  await region(page).getByRole('link').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.waitForTimeout(1500)
  expect(api.calls.filter(call => call.startsWith('DELETE'))).toHaveLength(1)
  await expect(toast(page)).toBeHidden()
  await expect(region(page)).toHaveCount(1)
})

test('what comes while nobody looks at the open enquiry waits until somebody does', async ({ page, api }) => {
  const inbox = answerInbox(api, ['Mai'])
  const kept = answerNotices(api, inbox, 1)
  await page.addInitScript(() => {
    document.hasFocus = () => false
  })
  await page.goto(`/messages?message=${inbox.messages[0]?.id}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page).toHaveTitle(/^\(1\) Messages/)
  expect(kept).toHaveLength(1)
  await page.evaluate(() => {
    document.hasFocus = () => true
    window.dispatchEvent(new Event('focus'))
  })
  await expect.poll(() => kept.length).toBe(0)
})

test('notices that cannot be read are asked for once more on request', async ({ page, api }) => {
  answerNotices(api, answerInbox(api, ['Mai']), 1)
  api.refuse(notices.list, new Refusal(400, { message: 'Not now' }))
  await page.goto('/messages')
  await expect(page.getByText('What is waiting for you could not be read')).toBeVisible()
  answerNotices(api, answerInbox(api, ['Mai']), 1)
  await page.getByRole('button', { name: /try again/i }).press('Enter')
  await expect(region(page)).toBeVisible()
})

test('Mark all as seen leaves the focus at the heading, and says when it did not work', async ({
  page,
  api,
}) => {
  answerNotices(api, answerInbox(api, ['Mai', 'Ana']), 2)
  api.refuse(notices.delete, new Refusal(500))
  await page.goto('/messages')
  await region(page).getByRole('button', { name: 'Mark all as seen' }).press('Enter')
  await expect(toast(page)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(region(page).getByRole('link')).toHaveCount(2)
})

test('everybody chooses whether an email says it', async ({ page, api }) => {
  let noticeEmails = true
  api.on(profile.read, () => ({ signature: '', noticeEmails }))
  api.on(profile.change, change => {
    noticeEmails = change.noticeEmails ?? noticeEmails
    return { user: { ...{ id: ADA.id, email: ADA.email }, name: change.name ?? ADA.name, role: ADA.role } }
  })
  await page.goto('/dashboard?profile=edit')
  const choice = page.getByRole('checkbox', { name: /^Email me about what is waiting/ })
  await expect(choice).toBeChecked()
  await choice.press(' ')
  await page.getByRole('button', { name: 'Save changes' }).press('Enter')
  await expect(toast(page)).toContainText('Profile Updated')
  expect(api.sent.at(-1)).toEqual({ noticeEmails: false })
  await page.goto('/dashboard?profile=edit')
  await expect(choice).not.toBeChecked()
})
