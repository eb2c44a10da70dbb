import { expect } from '@playwright/test'
import { cannedReplies } from '../../src/features/inbox/canned/contract.ts'
import { messages } from '../../src/features/inbox/contract.ts'
import { conversation, merge } from '../../src/features/inbox/conversation/contract.ts'
import { presence } from '../../src/features/inbox/presence/contract.ts'
import { chooseDelete } from '../e2e/inbox.ts'
import { createGate, Refusal } from './fake-api.ts'
import { answerInbox, messageFrom, named } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

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
  await expect.poll(() => asked.at(-1)).toEqual({ status: 'open', order: 'activity' })
  await page.getByLabel('Type').selectOption('Tracking Form')
  await expect(page).toHaveURL(/status=open/)
  await expect.poll(() => asked.at(-1)).toEqual({ status: 'open', order: 'activity', formType: 'tracking' })
  await page.goBack()
  await expect(page.getByLabel('Type')).toHaveValue('')
  await page.getByRole('searchbox').fill('zebra')
  await expect(page).toHaveURL(/\/messages\?q=zebra$/)
  await expect.poll(() => asked.at(-1)).toEqual({ q: 'zebra' })
  expect(asked[0]).toEqual({ status: 'open', order: 'activity' })
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

test('the menu of a message has the same items before and after it counts as read', async ({ page, api }) => {
  answerInbox(api, ['Ana'])
  const gate = createGate()
  api.on(messages.markRead, () => gate.opened.then(() => new Refusal(500)))
  await page.goto('/messages')
  await page.getByRole('link', { name: 'Ana', exact: true }).click()
  const pane = page.getByRole('dialog', { name: 'Message from Ana' })
  await pane.getByLabel('More actions').click()
  const items = pane.locator('details[open] .menu-item')
  await expect(items.first()).toHaveText('Mark as unread')
  const before = await items.allTextContents()
  gate.open()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1 unread')
  expect(await items.allTextContents()).toEqual(before)
})

test('on a phone, Send is in sight as soon as somebody writes, and little is above the first word', async ({
  page,
  api,
}) => {
  const { messages: all } = answerInbox(api, ['Ana'])
  const canned = ['Documents', 'Offer a call', 'How long it takes'].map((title, at) => ({
    ...{ id: `01900000-0000-7000-8000-00000000000${at}`, version: '1', title, body: 'Dear {name}', uses: 1 },
    variants: [],
  }))
  api.on(cannedReplies.list, () => ({
    cannedReplies: canned,
    agent: null,
    agency: 'Landfall',
    signer: 'Ada Admin',
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
  api.on(cannedReplies.add, ({ title, body, variants }) => ({
    cannedReply: { id: all[0]?.id ?? '', title, body, variants, uses: 0, version: '1' },
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

const opened = (message: ReturnType<typeof messageFrom>) => ({
  ...{ message, deliveryError: null, notes: [], earlier: null, firstReply: null, drafts: [] },
  ...{ samePerson: [], newer: null, older: null, entries: [], lastSeq: 0 },
})

test('an enquiry whose email stays on the server does not say that staff were emailed', async ({
  page,
  api,
}) => {
  const [ana = messageFrom('Ana', 0)] = answerInbox(api, ['Ana']).messages
  const deliveryError = 'No mail provider was set up: it stays on the server.'
  api.on(messages.read, () => ({ ...opened({ ...ana, letter: 'sent' }), deliveryError }))
  await page.goto(`/messages?message=${ana.id}`)
  const pane = page.getByRole('dialog', { name: 'Message from Ana' })
  await expect(pane).toContainText(`Notification: ${deliveryError}`)
  await expect(pane).not.toContainText('Emailed to staff')
})

test('Z after a phone call undoes nothing that was done before it, and the toast says so', async ({
  page,
  api,
}) => {
  const { messages: all } = answerInbox(api, ['Ana'])
  const [ana = messageFrom('Ana', 0)] = all
  api.on(messages.change, ({ status = ana.status }) => ({ message: { ...ana, status, version: 2 } }))
  api.on(conversation.addCall, ({ body }) => ({
    entry: {
      ...{ id: ana.id, seq: 1, kind: 'call' as const, author: null, body, detail: null, cc: [] },
      ...{ createdAt: ana.createdAt, delivery: null, deliveryError: null, sendsAt: null },
      ...{ direction: 'in' as const, outcome: 'reached' as const },
    },
    version: 3,
  }))
  await page.goto(`/messages?message=${ana.id}`)
  const pane = page.getByRole('dialog', { name: 'Message from Ana' })
  await pane.getByRole('button', { name: 'Close enquiry' }).first().click()
  await expect(toast(page)).toContainText('Enquiry closed')
  await pane.getByLabel('More actions').click()
  await pane.getByRole('button', { name: 'Add phone call' }).click()
  await pane.getByLabel('What was said').fill('She called')
  await pane.getByRole('button', { name: 'Add phone call' }).last().click()
  await expect(toast(page)).toContainText('It is part of the record and cannot be undone.')
  await pane.getByRole('heading', { name: 'Message from Ana' }).focus()
  await page.keyboard.press('z')
  expect(api.calls.filter(call => call === `PATCH /api/messages/${ana.id}`)).toHaveLength(1)
})

test('Z undoes a merge', async ({ page, api }) => {
  const [ana = messageFrom('Ana', 0)] = answerInbox(api, ['Ana']).messages
  const other = { ...messageFrom('Ana', 5), isSameAddress: true }
  api.on(messages.read, () => ({ ...opened(ana), samePerson: [other] }))
  const { opened: listIsRead, open: readList } = createGate()
  api.on(merge.into, () => {
    api.on(messages.list, async () => {
      await listIsRead
      return { messages: [ana], nextCursor: null, unread: 0 }
    })
    return {}
  })
  api.on(merge.undo, () => ({}))
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.goto(`/messages?message=${ana.id}`)
  await page.getByRole('button', { name: 'Merge with another' }).click()
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(toast(page)).toContainText('Enquiries merged')
  await expect(page.getByRole('dialog', { name: 'Merge two enquiries' })).toHaveCount(0)
  await page.keyboard.press('z')
  await expect(toast(page)).toContainText('Merge undone')
  expect(api.calls).toContain(`DELETE /api/messages/${other.id}/merge`)
  readList()
})

test('who has added a note no longer counts as writing', async ({ page, api }) => {
  const [ana = messageFrom('Ana', 0)] = answerInbox(api, ['Ana']).messages
  const said: unknown[] = []
  api.on(presence.look, ({ isWriting }) => {
    said.push(isWriting)
    return { others: [] }
  })
  api.on(conversation.saveDraft, () => ({}))
  api.on(conversation.addNote, ({ body }) => ({
    note: { id: ana.id, author: null, body, createdAt: ana.createdAt },
    version: 2,
  }))
  await page.goto(`/messages?message=${ana.id}`)
  await page.getByRole('button', { name: /^Note/ }).click()
  await page.getByRole('textbox', { name: 'Note to the team' }).pressSequentially('She is a nurse')
  await expect.poll(() => said).toEqual([false, true])
  await page.getByRole('button', { name: /^Add note/ }).click()
  await expect.poll(() => said, { timeout: 1500 }).toEqual([false, true, false])
})

test('a time says in which zone it is', async ({ page, api }) => {
  const { messages: all } = answerInbox(api, ['Ana'])
  const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  await page.goto('/messages')
  const time = page.locator('tbody time')
  await expect(time).toHaveAttribute('title', `your time (${zone})`)
  await page.goto(`/messages?message=${all[0]?.id}`)
  await expect(time).toHaveAttribute('title', new RegExp(`^\\w+ \\d.*, your time \\(${zone}\\)$`))
  await expect(page.getByText(/^Received /)).toHaveAttribute('title', `your time (${zone})`)
})

test('a link to a message brings its row into view', async ({ page, api }) => {
  const { messages: all } = answerInbox(api, named('Ana', 80))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/messages?message=${all[60]?.id}`)
  // Before the list is laid out, every row is at its top.
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000)
  await expect(page.getByRole('link', { name: 'Ana 60', exact: true })).toBeInViewport({ ratio: 1 })
})

test('rows become compact by keyboard, stay so after a reload, and a search shows the words that it has found', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, named('Visitor', 30))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/messages')
  const row = page.locator('.inbox tbody tr').first()
  const height = async () => (await row.boundingBox())?.height
  const words = row.locator('.inbox-excerpt')
  await expect.poll(height).toBe(56)
  const toggle = page.getByRole('button', { name: 'Compact rows' })
  await toggle.press('Enter')
  await expect(toggle).toBeFocused()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(height).toBeLessThan(40)
  await page.reload()
  await expect.poll(height).toBeLessThan(40)

  const [first] = inbox.messages
  if (first) inbox.messages[0] = { ...first, match: { field: 'message', excerpt: 'I am', marks: [] } }
  await page.getByRole('searchbox').fill('Visitor')
  await expect.poll(height).toBe(56)
  await expect(words).toBeInViewport()
  await page.getByRole('searchbox').fill('')
  await page.setViewportSize({ width: 800, height: 900 })
  await expect(toggle).toBeHidden()
  await expect.poll(height).toBeGreaterThanOrEqual(56)
})
