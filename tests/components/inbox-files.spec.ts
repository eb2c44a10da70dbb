import { expect, type Page } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import { attachments, type DraftFile } from '../../src/features/inbox/attachments/contract.ts'
import { conversation, type Entry } from '../../src/features/inbox/conversation/contract.ts'
import { createGate, Refusal } from './fake-api.ts'
import { answerInbox, emails, messageFrom } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test } from './story.ts'

test.beforeEach(({ api }) => answerPortal(api))

const LARGE = 600 * 1024

/** Answers uploads of files of this size, in any number of parts. */
function answerUploads(api: Parameters<typeof answerPortal>[0], size: number) {
  const files: DraftFile[] = []
  const received: Buffer[] = []
  const take = (file: DraftFile, bytes: Uint8Array) => {
    received.push(Buffer.from(bytes))
    const all = file.received + bytes.length
    return Object.assign(file, { received: all, state: all === size ? 'kept' : 'uploading' })
  }
  api.on(attachments.add, ({ bytes }) => {
    const type = 'application/pdf'
    const file: DraftFile = {
      id: newId(new Date()),
      name: 'Form.pdf',
      size,
      type,
      received: 0,
      state: 'uploading',
    }
    files.push(file)
    return { attachment: take(file, bytes) }
  })
  api.on(attachments.append, ({ attachmentId, bytes }) => {
    const file = files.find(({ id }) => id === attachmentId)
    return file ? { attachment: take(file, bytes) } : new Refusal(404)
  })
  api.on(attachments.remove, ({ attachmentId }) => {
    files.splice(
      files.findIndex(({ id }) => id === attachmentId),
      1,
    )
    return {}
  })
  return { files, received: () => Buffer.concat(received) }
}

async function write(page: Page, id: string) {
  await page.goto(`/messages?message=${id}`)
  const pane = page.getByRole('dialog', { name: /^Message from/ })
  await pane.getByRole('heading').first().focus()
  await page.keyboard.press('r')
  await pane.getByRole('textbox', { name: /^Reply to/ }).fill('The form is attached.')
  return pane
}

const choose = async (page: Page, name: string, buffer: Buffer) =>
  await page
    .getByLabel('Files of the reply')
    .last()
    .setInputFiles({ name, mimeType: 'application/pdf', buffer })

test('a file goes in parts, on after a lost line and a lost answer, and with the reply', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana'])
  const { id } = inbox.messages[0] ?? messageFrom('Ana', 0)
  const bytes = Buffer.from(Array.from({ length: LARGE }, (_, at) => (at * 31 + (at >> 8)) & 255))
  const uploads = answerUploads(api, LARGE)
  api.on(conversation.reply, () => ({
    reply: { id: newId(new Date()), seq: 1, sendsAt: new Date().toISOString() },
  }))
  let parts = 0
  await page.route(`**/api/messages/${id}/attachments/*`, async route => {
    parts++
    // First the line, then the answer to a part that has arrived, which the server says when it comes again.
    if (parts === 1) return await route.abort('connectionreset')
    if (parts === 2) {
      await route.fetch()
      return await route.abort('connectionreset')
    }
    if (parts === 3) {
      const body = { success: false, code: 'other_offset', offset: uploads.files[0]?.received }
      return await route.fulfill({ status: 409, json: body })
    }
    await route.continue()
  })
  const pane = await write(page, id)
  await choose(page, 'Form.pdf', bytes)
  const files = pane.getByRole('list', { name: 'Files of the reply' })
  await expect(files.getByRole('progressbar')).toBeVisible()
  await pane.getByRole('button', { name: 'Send reply' }).click()
  await expect(pane.getByRole('alert')).toHaveText('It can be sent once all files are there.')
  await expect(files).toContainText('600 kB')
  await expect(files.getByRole('progressbar')).toHaveCount(0)
  expect(uploads.received().equals(bytes)).toBe(true)
  await pane.getByRole('button', { name: 'Send reply' }).click()
  const sent = expect.objectContaining({ attachments: [uploads.files[0]?.id] })
  await expect.poll(() => api.sent).toContainEqual(sent)
})

test('a file is dropped or pasted, removed again, and what is refused says why and keeps the reply', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana'])
  const { id } = inbox.messages[0] ?? messageFrom('Ana', 0)
  answerUploads(api, 5)
  const pane = await write(page, id)
  const area = pane.getByRole('textbox', { name: /^Reply to/ })
  const files = pane.getByRole('list', { name: 'Files of the reply' })
  for (const event of ['drop', 'paste']) {
    await area.evaluate((element, type) => {
      const data = new DataTransfer()
      data.items.add(new File(['12345'], 'Form.pdf', { type: 'application/pdf' }))
      const init = { bubbles: true, cancelable: true }
      const happening =
        type === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: data })
          : new ClipboardEvent('paste', { ...init, clipboardData: data })
      element.dispatchEvent(happening)
    }, event)
    await expect(files).toContainText('Form.pdf')
    // Something is written between the two: without that, a second press so soon counts as a double click.
    await area.fill('The form is attached.')
    await files.getByRole('button', { name: 'Remove Form.pdf' }).click()
    await expect(files).toHaveCount(0)
  }
  api.refuse(
    attachments.add,
    new Refusal(413, { message: 'The files of a reply have at most 15 MB together' }),
  )
  await choose(page, 'Film.mp4', Buffer.from('12345'))
  await expect(files.getByRole('alert')).toHaveText('The files of a reply have at most 15 MB together')
  await expect(area).toHaveValue('The form is attached.')
  answerUploads(api, 5)
  await files.getByRole('button', { name: 'Try again' }).click()
  await expect(files.getByRole('alert')).toHaveCount(0)
  await expect(files).toContainText('1 kB')
})

test('a file that is removed before its first answer is removed on the server as well', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana'])
  const { id } = inbox.messages[0] ?? messageFrom('Ana', 0)
  const uploads = answerUploads(api, 5)
  const gate = createGate()
  await page.route(`**/api/messages/${id}/attachments`, async route => {
    await gate.opened
    await route.continue()
  })
  const pane = await write(page, id)
  const files = pane.getByRole('list', { name: 'Files of the reply' })
  await choose(page, 'Wrong.pdf', Buffer.from('12345'))
  await files.getByRole('button', { name: 'Remove Wrong.pdf' }).click()
  await expect(files).toHaveCount(0)
  gate.open()
  await expect.poll(() => api.calls.some(call => call.startsWith('DELETE'))).toBe(true)
  await expect.poll(() => uploads.files).toEqual([])
  await expect(files).toHaveCount(0)
})

test('a reply waits for a file of the conversation that is being attached', async ({ page, api }) => {
  const inbox = answerInbox(api, ['Ana'])
  const { id } = inbox.messages[0] ?? messageFrom('Ana', 0)
  const known = { id: newId(new Date()), name: 'Statement.pdf', size: 5, type: 'application/pdf' }
  const [entry] = emails(1)
  inbox.entries = [
    { ...entry, kind: 'reply', attachments: [{ ...known, warning: null, state: 'kept' }] } as Entry,
  ]
  const gate = createGate()
  const copy = { ...known, id: newId(new Date()), received: 5, state: 'kept' } as const
  api.on(attachments.copy, async () => {
    await gate.opened
    return { attachment: copy }
  })
  api.on(conversation.reply, () => ({
    reply: { id: newId(new Date()), seq: 2, sendsAt: new Date().toISOString() },
  }))
  const pane = await write(page, id)
  await pane.locator('.inbox-composer-foot summary', { hasText: 'Attach' }).click()
  await pane.getByRole('button', { name: /^Statement.pdf/ }).dblclick()
  await pane.getByRole('textbox', { name: /^Reply to/ }).press('Control+Enter')
  await expect(pane.getByRole('alert')).toHaveText('It can be sent once all files are there.')
  gate.open()
  await expect(pane.getByRole('alert')).toHaveCount(0)
  expect(api.calls.filter(call => call.endsWith('/copy'))).toHaveLength(1)
  await pane.getByRole('textbox', { name: /^Reply to/ }).press('Control+Enter')
  await expect.poll(() => api.sent).toContainEqual(expect.objectContaining({ attachments: [copy.id] }))
})
