import { expect, type Locator, type Page } from '@playwright/test'
import { type CannedReply, cannedReplies } from '../../src/features/inbox/canned/contract.ts'
import { messages } from '../../src/features/inbox/contract.ts'
import type { FakeApi } from './fake-api.ts'
import { answerInbox } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test } from './story.ts'

const FARSI = 'سلام، ویزای من رد شد. چه کار کنم؟'
const FARSI_REPLY = 'سلام {name}، لطفا مدارک خود را بفرستید.'

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply to Sara' })

async function box(part: Locator) {
  const found = await part.boundingBox()
  if (!found) throw new Error('It is not shown')
  return found
}

/** Sara writes in Farsi, Ben in English. There is one canned reply, in English and in these languages. */
function answer(api: FakeApi, variants: CannedReply['variants'] = []) {
  answerPortal(api)
  const inbox = answerInbox(api, ['Sara', 'Ben'])
  const [sara, ben] = inbox.messages
  if (!sara || !ben) throw new Error('There are two messages')
  inbox.messages[0] = { ...sara, message: FARSI, excerpt: FARSI }
  inbox.messages[1] = { ...ben, message: 'My visa expires tomorrow, please call me.', excerpt: 'Ok, thanks.' }
  const canned = {
    ...{
      id: sara.id,
      version: '1',
      title: 'Documents',
      body: 'Dear {name}, please send your papers.',
      uses: 1,
    },
    variants,
  }
  const list = [canned]
  api.on(cannedReplies.list, () => ({
    ...{ cannedReplies: list, agent: null, agency: 'Landfall', signer: 'Ada Admin', signature: [] },
  }))
  api.on(cannedReplies.use, () => ({}))
  api.on(cannedReplies.change, ({ title, body, variants: all }) => {
    list[0] = { ...canned, title: title ?? '', body: body ?? '', variants: all ?? [], version: '2' }
    return { cannedReply: list[0] }
  })
  return { sara, list }
}

async function open(page: Page, id: string) {
  await page.goto(`/messages?message=${id}`)
  await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
}

test('the list and the open message say in which language a visitor writes, and their words have it', async ({
  page,
  api,
}) => {
  const { sara } = answer(api)
  await page.goto('/messages')
  await expect(page.getByRole('row', { name: /Sara/ })).toContainText('Persian')
  await expect(page.getByRole('row', { name: /Ben/ })).not.toContainText('English')
  await page.goto(`/messages?message=${sara.id}`)
  const pane = page.getByRole('dialog', { name: 'Message from Sara' })
  const words = pane.getByRole('article').getByText(FARSI)
  await expect(words).toHaveAttribute('lang', 'fa')
  await expect(words).toHaveAttribute('dir', 'auto')
  await expect(words).toHaveCSS('direction', 'rtl')
  await expect(pane.getByText('Writes in')).toBeAttached()
})

for (const [row, width, most] of [
  ['compact row', 1440, 40],
  ['row on a phone', 390, 80],
] as const)
  test(`a ${row} shows the language of a message and how many files it has, and reads both out in full`, async ({
    page,
    api,
  }) => {
    const { sara } = answer(api)
    api.on(messages.list, () => ({
      messages: [{ ...sara, message: FARSI, excerpt: FARSI, files: 3, tags: ['family'] }],
      ...{ nextCursor: null, unread: 1 },
    }))
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/messages')
    if (row === 'compact row') await page.getByRole('button', { name: 'Compact rows' }).click()
    const shown = page.getByRole('row', { name: /Sara/ })
    await expect(shown).toContainText('Persian')
    await expect(shown).toContainText('3 files')
    const name = await box(shown.getByRole('link', { name: 'Sara' }))
    const label = await box(shown.locator('.inbox-language'))
    const files = await box(shown.locator('.inbox-files'))
    for (const { width, height } of [label, files]) {
      expect(width).toBeGreaterThan(16)
      expect(height).toBeGreaterThan(11)
    }
    expect(label.x + label.width).toBeLessThanOrEqual(files.x)
    // Neither covers the name.
    expect(name.x + name.width <= label.x || name.y + name.height <= label.y).toBe(true)
    expect(label.width).toBeLessThan(most)
  })

test('a canned reply is inserted in the visitor’s language, and in another one from the list of all', async ({
  page,
  api,
}) => {
  const { sara } = answer(api, [
    { language: 'zh', body: '请寄文件' },
    { language: 'fa', body: FARSI_REPLY },
  ])
  await open(page, sara.id)
  await page.getByRole('button', { name: 'Documents Persian' }).click()
  await expect(reply(page)).toHaveValue(FARSI_REPLY.replace('{name}', 'Sara'))
  await expect(reply(page)).toHaveAttribute('lang', 'fa')
  await reply(page).fill('')
  await reply(page).press('Control+;')
  const all = page.getByRole('dialog', { name: 'Canned replies' })
  await all.getByRole('searchbox').fill('文件')
  await expect(all.getByRole('button', { name: 'In Chinese: Documents' })).toBeVisible()
  await all.getByRole('button', { name: 'For everybody: Documents' }).click()
  await expect(reply(page)).toHaveValue('Dear Sara, please send your papers.')
})

test('a text in another language is written, refused with an unknown placeholder, and removed', async ({
  page,
  api,
}) => {
  const { sara, list } = answer(api, [{ language: 'zh', body: '请寄文件' }])
  await open(page, sara.id)
  await page.getByRole('button', { name: 'All 1 canned replies' }).click()
  await page.getByRole('button', { name: 'Edit canned replies' }).click()
  await page.getByRole('button', { name: 'Edit Documents' }).click()
  const form = page.getByRole('dialog', { name: 'Edit a canned reply' })
  const add = form.getByLabel('Add another language')
  await expect(add.getByRole('option', { name: 'Chinese' })).toHaveCount(0)
  await add.selectOption('Persian')
  const text = form.getByLabel('Text in Persian')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(text).toBeFocused()
  await expect(form.getByText('Write something')).toBeVisible()
  await text.fill('سلام {nam}')
  await expect(form.getByRole('alert')).toContainText('There is no placeholder {nam}.')
  await text.fill(FARSI_REPLY)
  await form.getByRole('button', { name: 'Remove the text in Chinese' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  expect(list[0]?.variants).toEqual([{ language: 'fa', body: FARSI_REPLY }])
})
