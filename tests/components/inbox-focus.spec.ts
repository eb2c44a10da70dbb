import { expect, type Page } from '@playwright/test'
import { messages } from '../../src/features/inbox/contract.ts'
import { conversation } from '../../src/features/inbox/conversation/contract.ts'
import { logs } from '../../src/features/logs/contract.ts'
import { chooseDelete } from '../e2e/inbox.ts'
import { createGate } from './fake-api.ts'
import { answerInbox, named } from './inbox.ts'
import { ADA, answerPortal, answerTokens, answerUsers } from './portal.ts'
import { test } from './story.ts'

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const message = (page: Page, name: string) => page.getByRole('dialog', { name: `Message from ${name}` })
const question = (page: Page) => page.getByRole('alertdialog')
const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

test.beforeEach(({ api }) => answerPortal(api))

test('closing a message puts the focus on the row that was read last, and the keys act on it', async ({
  page,
  api,
}) => {
  const { messages } = answerInbox(api, named('Ana', 5))
  await page.goto('/messages')
  await link(page, 'Ana 0').click()
  await expect(message(page, 'Ana 0')).toBeVisible()
  for (const name of ['Ana 1', 'Ana 2', 'Ana 3']) {
    await press(page, 'ArrowRight')
    await expect(message(page, name)).toBeVisible()
  }
  // Escape twice is once too.
  await Promise.all([press(page, 'Escape'), press(page, 'Escape')])
  await expect(link(page, 'Ana 3')).toBeFocused()
  await expect(page).toHaveURL(/\/messages$/)
  await press(page, 'Delete')
  await expect(question(page)).toContainText('from Ana 3?')
  await press(page, 'Escape')
  await expect(link(page, 'Ana 3')).toBeFocused()
  await press(page, 'f')
  await expect.poll(() => api.calls).toContain(`POST /api/messages/${messages[3]?.id}/forward`)
})

test('a key that is pressed in the moment in which what had the focus goes is not lost', async ({
  page,
  api,
}) => {
  const [ana] = answerInbox(api, named('Ana', 5)).messages
  api.on(conversation.saveDraft, () => ({}))
  api.on(conversation.reply, ({ id }) => ({
    reply: { id, seq: 1, sendsAt: new Date().toISOString() },
    version: 2,
  }))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/messages?message=${ana?.id}`)
  /** Goes to the older message as soon as the page has changed so, before anything else can happen. */
  const goOlderOnce = (gone: string) =>
    page.evaluate(selector => {
      const observer = new MutationObserver(() => {
        if (document.querySelector(selector)) return
        observer.disconnect()
        const init = { key: 'ArrowRight', bubbles: true, cancelable: true }
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init))
      })
      observer.observe(document.body, { subtree: true, childList: true })
    }, gone)

  await message(page, 'Ana 0')
    .getByRole('button', { name: /^Reply/ })
    .first()
    .click()
  await message(page, 'Ana 0')
    .getByRole('textbox', { name: /^Reply to/ })
    .fill('Yes, she can.')
  await goOlderOnce('textarea')
  await press(page, 'Control+Enter')
  await expect(message(page, 'Ana 1')).toBeVisible()

  // The tools belong to one message.
  const assign = message(page, 'Ana 1').locator('summary').filter({ hasText: 'Assign' }).first()
  await assign.focus()
  await assign.evaluate(element => element.setAttribute('data-tool-of-ana', ''))
  await goOlderOnce('[data-tool-of-ana]')
  await press(page, 'ArrowRight')
  await expect(message(page, 'Ana 3')).toBeVisible()
})

test('a press in the moment in which a message comes back begins a note about it', async ({ page, api }) => {
  const [ana] = answerInbox(api, named('Ana', 2)).messages
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/messages?message=${ana?.id}`)
  const note = (name: string) => message(page, name).getByRole('button', { name: 'Note' }).last()
  await note('Ana 0').waitFor()
  await press(page, 'ArrowRight')
  await note('Ana 1').waitFor()
  await press(page, 'ArrowLeft')
  await note('Ana 0').waitFor()
  // As soon as the page has changed so, before anything else can happen.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const button = document.querySelector<HTMLElement>('.inbox-note-button')
      if (!button || document.querySelector('.inbox-pane h2')?.textContent?.includes('Ana 0')) return
      observer.disconnect()
      button.click()
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await press(page, 'ArrowRight')
  await expect(message(page, 'Ana 1').getByRole('textbox', { name: 'Note to the team' })).toBeFocused()
})

test('keys that are pressed in the moment in which the form comes are all in the text', async ({
  page,
  api,
}) => {
  const [ana] = answerInbox(api, ['Ana']).messages
  api.on(conversation.saveDraft, () => ({}))
  const script = createGate()
  await page.route(/composer-forms/, async route => {
    await script.opened
    await route.fallback()
  })
  await page.goto(`/messages?message=${ana?.id}`)
  await message(page, 'Ana')
    .getByRole('button', { name: /^Reply/ })
    .first()
    .click()
  const text = message(page, 'Ana').getByRole('textbox', { name: /^Reply to/ })
  await text.pressSequentially('Dear An')
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('.inbox-composer textarea')) return
      observer.disconnect()
      for (const key of ['a', ',']) document.execCommand('insertText', false, key)
    })
    observer.observe(document.body, { subtree: true, childList: true })
  })
  script.open()
  await expect(page.locator('.inbox-composer textarea')).toHaveValue('Dear Ana,')
})

test('among what is unread, the arrow keys lead back to what was just read, and the next to answer is unread', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, named('Ana', 6))
  const unread = () => inbox.messages.filter(({ isRead }) => !isRead)
  api.on(messages.list, () => ({ messages: unread(), nextCursor: null, unread: unread().length }))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/messages?isRead=false')
  const isRead = (name: string) => inbox.messages.find(it => it.name === name)?.isRead
  await link(page, 'Ana 1').press('Enter')
  let open = 'Ana 1'
  for (const [key, next] of [
    ['ArrowRight', 'Ana 2'],
    ['ArrowLeft', 'Ana 1'],
    ['ArrowRight', 'Ana 2'],
    ['ArrowRight', 'Ana 3'],
    ['ArrowLeft', 'Ana 2'],
  ] as const) {
    await expect.poll(() => isRead(open)).toBe(true)
    await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click')
    await expect(link(page, open)).toHaveCount(0)
    await press(page, key)
    await expect(message(page, next)).toBeVisible()
    open = next
  }
  const two = inbox.messages[2]
  if (two) api.on(messages.change, () => ({ message: { ...two, status: 'closed' as const, version: 2 } }))
  await press(page, 'e')
  await expect(message(page, 'Ana 4')).toBeVisible()
  await expect.poll(() => isRead('Ana 4')).toBe(true)

  // Another list has nothing of what was read in this one.
  await page.getByRole('searchbox').fill('Ana')
  await expect(page).toHaveURL(/q=Ana/)
  await expect(link(page, 'Ana 4')).toHaveCount(0)
  await link(page, 'Ana 0').press('Enter')
  await expect(message(page, 'Ana 0')).toBeVisible()
  await press(page, 'ArrowRight')
  await expect(message(page, 'Ana 5')).toBeVisible()
})

test('deleting a message moves the focus to the next row, else the previous one, else the search box', async ({
  page,
  api,
}) => {
  answerInbox(api, named('Ana', 3))
  await page.goto('/messages')
  const remove = async () => {
    await press(page, 'Delete')
    await question(page).getByRole('button', { name: 'Delete' }).click()
    await expect(question(page)).toBeHidden()
  }
  await link(page, 'Ana 1').focus()
  await remove()
  await expect(link(page, 'Ana 2')).toBeFocused()
  // The last one, from within the message.
  await press(page, 'Enter')
  await chooseDelete(message(page, 'Ana 2'))
  await question(page).getByRole('button', { name: 'Delete' }).click()
  await expect(message(page, 'Ana 2')).toBeHidden()
  await expect(link(page, 'Ana 0')).toBeFocused()
  await remove()
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('reading past the end of the loaded list puts the focus on the row of the last message', async ({
  page,
  api,
}) => {
  const { messages } = answerInbox(api, named('Far', 130))
  await page.goto(`/messages?message=${messages[97]?.id}`)
  for (const at of [98, 99, 100, 101]) {
    await expect(message(page, `Far ${at - 1}`)).toBeVisible()
    // Past the loaded list, the next message is known once this one has been read.
    const older = page.getByRole('button', { name: 'Older enquiry' })
    await expect(older).toHaveAttribute('aria-disabled', 'false')
    await press(page, 'ArrowRight')
  }
  await expect(message(page, 'Far 101')).toBeVisible()
  await expect(page.getByText('130 enquiries', { exact: true })).toBeAttached()
  await press(page, 'Escape')
  await expect(link(page, 'Far 101')).toBeFocused()
  await expect(link(page, 'Far 101')).toBeInViewport()
})

test('the arrow key leads into each list from the page, and from the search box', async ({ page, api }) => {
  answerInbox(api, named('Ana', 3))
  answerUsers(api, 'Bea')
  answerLogs(api)
  await page.goto('/messages')
  await link(page, 'Ana 0').waitFor()
  await press(page, 'ArrowDown')
  await expect(link(page, 'Ana 0')).toBeFocused()
  await press(page, '/', 'ArrowDown', 'ArrowDown')
  await expect(link(page, 'Ana 1')).toBeFocused()
  // A choice keeps its keys.
  await page.getByLabel('Type').focus()
  await press(page, 'ArrowDown')
  await expect(page.getByLabel('Type')).toBeFocused()
  for (const [path, first] of [
    ['/logs', /^View Details of/],
    ['/users', /^Edit: /],
  ] as const) {
    await page.goto(path)
    const button = page.getByRole('button', { name: first }).first()
    await expect(button).toBeVisible()
    await press(page, 'ArrowDown')
    await expect(button).toBeFocused()
  }
})

function answerLogs(api: Parameters<typeof answerPortal>[0]) {
  const entry = {
    ...{ details: {}, ipAddress: null, userId: null, user: null },
    ...{ formerUser: null, userAgent: null, createdAt: '2026-11-23T02:00:00.000Z' },
  }
  api.on(logs.list, () => ({
    logs: [1, 2, 3].map(at => ({
      ...entry,
      id: `01900000-0000-7000-8000-00000000000${at}`,
      level: 'info' as const,
      source: 'Auth' as const,
      message: `Line ${at}`,
    })),
    nextCursor: null,
  }))
}

test('the lists of users, tokens, log entries and sessions keep the focus when a dialog about a row closes', async ({
  page,
  api,
}) => {
  const [, bea] = answerUsers(api, 'Bea', 'Cleo')
  answerTokens(api)
  answerLogs(api)
  await page.goto(`/users?user=${bea?.id}`)
  await expect(page.getByRole('dialog', { name: 'Edit Bea' })).toBeVisible()
  await press(page, 'Escape')
  await expect(page.getByRole('button', { name: 'Edit: Bea' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete: Bea' }).click()
  await question(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Edit: Cleo' })).toBeFocused()

  await page.goto('/api-tokens')
  for (const name of ['one', 'two']) {
    await page.getByRole('button', { name: /^Create (Token|Your First Token)$/ }).click()
    await page.getByLabel('Description').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
    // Otherwise the screen asks before it shows anything else.
    await page.getByRole('button', { name: 'Copy token' }).click()
  }
  const revoke = async (name: string) => {
    await page.getByRole('button', { name: `Revoke ${name}` }).click()
    await question(page).getByRole('button', { name: 'Revoke' }).click()
  }
  await revoke('two')
  await expect(page.getByRole('button', { name: 'Revoke one' })).toBeFocused()
  await revoke('one')
  await expect(page.getByRole('heading', { name: 'Tokens', exact: true })).toBeFocused()

  await page.goto('/logs?log=01900000-0000-7000-8000-000000000002')
  await expect(page.getByRole('dialog')).toBeVisible()
  await press(page, 'Escape')
  await expect(page.locator('tbody tr').nth(1).getByRole('button')).toBeFocused()

  await page.goto('/dashboard?profile=edit')
  const end = page.getByRole('button', { name: /^Sign out [A-Z]/ })
  await end.first().click()
  await question(page).getByRole('button', { name: 'Sign out' }).click()
  await expect(question(page)).toBeHidden()
  await expect(end).toBeFocused()
})

test('a window that becomes narrow turns the pane into a sheet, which keeps the focus that was in it', async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  answerInbox(api, named('Ana', 3))
  await page.goto('/messages')
  await link(page, 'Ana 0').click()
  const older = message(page, 'Ana 0').getByRole('button', { name: 'Older enquiry' })
  await older.focus()
  await page.setViewportSize({ width: 1100, height: 800 })
  await expect(page.locator('dialog:modal')).toHaveCSS('width', '640px')
  await expect(older).toBeFocused()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.locator('dialog:modal')).toHaveCount(0)
  await press(page, 'Escape')
  await expect(link(page, 'Ana 0')).toBeFocused()
})

test('somebody reads two messages beside the list, searches and switches off single keys, by keyboard alone', async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  answerInbox(api, named('Ana', 6))
  await page.goto('/messages')
  await expect(link(page, 'Ana 0')).toBeVisible()
  await press(page, 'ArrowDown', 'ArrowDown', 'Enter')
  const title = message(page, 'Ana 1').getByRole('heading', { name: 'Message from Ana 1' })
  await expect(title).toBeFocused()
  await expect(page.getByRole('row').filter({ hasText: 'Ana 1' })).toHaveAttribute('aria-current', 'true')
  // The list is in use beside it.
  await link(page, 'Ana 3').focus()
  await press(page, 'Delete', 'f')
  await expect(question(page)).toHaveCount(0)
  await press(page, 'ArrowDown', 'Enter')
  await expect(message(page, 'Ana 4')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await press(page, '/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('?')
  await expect(page.getByRole('searchbox')).toHaveValue('?')
  await press(page, 'Escape', 'ArrowDown', 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/messages$/)
  await expect(link(page, 'Ana 0')).toBeFocused()
  await press(page, '?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByRole('checkbox', { name: 'Use keys of one character' }).press('Space')
  await press(page, 'Escape', '?', '/', 'f')
  await expect(link(page, 'Ana 0')).toBeFocused()
  await expect(keys).toHaveCount(0)
  await page.getByRole('button', { name: 'All keys' }).press('Enter')
  await keys.getByRole('checkbox', { name: 'Use keys of one character' }).press('Space')
  await press(page, 'Escape', '/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  expect(api.calls.filter(call => call.endsWith('/forward'))).toEqual([])
})

test('somebody who may only read messages changes nothing by key or by menu', async ({ page, api }) => {
  answerPortal(api, { ...ADA, name: 'Mina Park', role: 'viewer', inbox: 'read' })
  const { messages } = answerInbox(api, ['Ana', 'Kiri'])
  for (const message of messages) Object.assign(message, { letter: 'failed' })
  await page.goto('/messages')
  const rows = page.getByRole('row').filter({ hasText: 'Unread' })
  await expect(rows).toHaveCount(2)
  await rows.first().locator('summary').click()
  await expect(rows.first().getByRole('button')).toHaveText(['View'])
  await press(page, 'Escape')
  await link(page, 'Ana').focus()
  await press(page, 'f', 'Delete')
  await expect(question(page)).toHaveCount(0)
  await press(page, 'Enter')
  const pane = message(page, 'Ana')
  await expect(pane).toContainText('I am Ana.')
  await expect(pane).toContainText('Notification:')
  for (const name of ['Delete', 'Close enquiry', 'Reply', 'Note', 'Retry', 'Remove the tag'])
    await expect(pane.getByRole('button', { name })).toHaveCount(0)
  await expect(pane.locator('details[data-menu]')).toHaveCount(0)
  await press(page, 'ArrowRight')
  await expect(message(page, 'Kiri')).toBeVisible()
  await press(page, 'Escape')
  await expect(rows).toHaveCount(2)
  expect(api.calls.filter(call => !/^GET|presence$/.test(call))).toEqual([])
})
