import { expect } from '@playwright/test'
import { cannedReplies } from '../../src/features/inbox/canned-contract.ts'
import { messages } from '../../src/features/inbox/contract.ts'
import { chooseDelete } from '../e2e/inbox.ts'
import { answerInbox, messageFrom, named } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test } from './story.ts'

test.beforeEach(({ api }) => answerPortal(api))

test('Messages opens on the open enquiries, a filter stays within them, and a search looks through all', async ({
  page,
  api,
}) => {
  const asked: unknown[] = []
  const { messages: all } = answerInbox(api, named('Ana', 2))
  api.on(messages.list, ({ status, order, q, formType }) => {
    asked.push({ status, order, q, formType })
    return { messages: all, nextCursor: null, unread: 0 }
  })
  await page.goto('/messages')
  await expect(page.getByRole('link', { name: 'Open', exact: false }).first()).toHaveAttribute(
    'aria-current',
    'true',
  )
  await page.getByLabel('Type').selectOption('Tracking Form')
  await expect(page).toHaveURL(/status=open/)
  await page.goBack()
  await page.getByRole('searchbox').fill('zebra')
  await expect(page).toHaveURL(/\/messages\?q=zebra$/)
  await expect.poll(() => asked.at(-1)).toEqual({ q: 'zebra' })
  expect(asked.slice(0, 2)).toEqual([
    { status: 'open', order: 'activity' },
    { status: 'open', order: 'activity', formType: 'tracking' },
  ])
})

test('Delete is apart from what is done every day, and says what happens to what is merged', async ({
  page,
  api,
}) => {
  answerInbox(api, ['Ana'])
  const merged = (age: number, isSameAddress: boolean) => ({
    ...messageFrom(`Old ${age}`, age),
    isSameAddress,
  })
  const [ana = messageFrom('Ana', 0)] = answerInbox(api, ['Ana']).messages
  api.on(messages.read, () => ({
    ...{ message: ana, deliveryError: null, notes: [], earlier: null, firstReply: null, drafts: [] },
    ...{ samePerson: [], newer: null, older: null, entries: [], lastSeq: 0 },
    merged: [merged(7, true), merged(8, false)],
  }))
  await page.goto(`/messages?message=${ana.id}`)
  const pane = page.getByRole('dialog', { name: 'Message from Ana' })
  await expect(pane.getByRole('button', { name: 'Close enquiry' })).toBeVisible()
  await expect(pane.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await chooseDelete(pane)
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(
    'The enquiry from the same address that is merged into it is deleted with it.',
  )
  await expect(question).toContainText(
    'The merged enquiry from visitor8@visitor.test is not deleted: it becomes an enquiry of its own again.',
  )
  await page.keyboard.press('Escape')
  await expect(pane.getByLabel('More actions')).toBeFocused()
})

test('on a phone, Send is in sight as soon as somebody writes, and little is above the first word', async ({
  page,
  api,
}) => {
  const { messages: all } = answerInbox(api, ['Ana'])
  const canned = ['Documents', 'Offer a call', 'How long it takes'].map((title, at) => ({
    ...{ id: `01900000-0000-7000-8000-00000000000${at}`, version: '1', title, body: 'Dear {name}', uses: 1 },
  }))
  api.on(cannedReplies.list, () => ({
    cannedReplies: canned,
    agent: null,
    agency: 'Landfall',
    signature: [],
  }))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/messages?message=${all[0]?.id}`)
  const pane = page.getByRole('dialog', { name: 'Message from Ana' })
  const first = pane.getByText('I am Ana.', { exact: true })
  await expect(first).toBeVisible()
  const top = await first.evaluate(text => {
    const head = text.closest('dialog')?.querySelector('header')
    return text.getBoundingClientRect().top - Number(head?.getBoundingClientRect().top)
  })
  expect(top).toBeLessThan(205)
  await pane.getByRole('button', { name: 'Reply', exact: true }).click()
  await expect(pane.getByRole('button', { name: 'Documents' })).toBeVisible()
  await expect(pane.getByRole('textbox', { name: 'Reply to Ana' })).toBeInViewport({ ratio: 1 })
  await expect(pane.getByRole('button', { name: 'Send reply' })).toBeInViewport({ ratio: 1 })
  // The line of canned replies scrolls, and not the pane.
  expect(await pane.evaluate(dialog => dialog.scrollWidth)).toBe(390)
})

test('writing a canned reply takes one dialog at a time, and leads back to where it was begun', async ({
  page,
  api,
}) => {
  const { messages: all } = answerInbox(api, ['Ana'])
  api.on(cannedReplies.add, ({ title, body }) => ({
    cannedReply: { id: all[0]?.id ?? '', title, body, uses: 0, version: '1' },
  }))
  await page.goto(`/messages?message=${all[0]?.id}`)
  await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
  await page.getByRole('button', { name: 'All 0 canned replies' }).click()
  const dialogs = page.locator('dialog:modal')
  await page.getByRole('button', { name: 'Edit canned replies' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit canned replies' })).toBeVisible()
  const before = await dialogs.count()
  await page.getByRole('button', { name: 'Add a canned reply' }).click()
  const form = page.getByRole('dialog', { name: 'Add a canned reply' })
  await form.getByLabel('Title').fill('Hello')
  expect(await dialogs.count()).toBe(before)
  expect(before).toBe(1)
  await form.getByLabel('Text').fill('Dear {name}')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit canned replies' })).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('dialog', { name: 'Canned replies', exact: true })).toBeVisible()
  expect(await dialogs.count()).toBe(1)
})
