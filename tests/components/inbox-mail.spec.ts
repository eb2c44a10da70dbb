import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import { messages } from '../../src/features/inbox/contract.ts'
import { conversation, type Entry } from '../../src/features/inbox/conversation/contract.ts'
import type { InboundMail } from '../../src/features/inbox/mail-in/contract.ts'
import { formattedMailHeaders } from '../../src/http/security-headers.ts'
import { createGate } from './fake-api.ts'
import { answerInbox, emails, messageFrom } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

test.beforeEach(({ api }) => answerPortal(api))

const MAIL: InboundMail = {
  ...{ from: { name: 'Ana', address: 'visitor0@visitor.test' }, subject: '', quoted: '', problem: null },
  ...{ recipients: { to: [], cc: [] }, attachments: [], automatic: false, sender: 'participant' },
  ...{ mayBelongTo: null, hasFormatting: false, hasOriginal: false },
}

function mailOf(change: Partial<InboundMail> = {}, body = 'Thank you, Mei.', seq = 1): Entry {
  const [entry = reply({})] = emails(1)
  return { ...entry, ...MAIL, ...change, body, seq, id: newId(new Date(seq)) }
}

const reply = (change: Partial<Entry>): Entry => ({
  ...{ id: newId(new Date(1)), seq: 1, kind: 'reply', author: { id: 'm', name: 'Mei Tanaka' }, detail: null },
  ...{ body: 'Hello Ana.', cc: [], createdAt: '2026-11-23T00:00:00.000Z', sendsAt: null },
  ...{ delivery: 'sent', deliveryError: null },
  ...change,
})

async function open(page: Page, id: string) {
  await page.goto(`/messages?message=${id}`)
  return page.getByRole('dialog', { name: /^Message from/ })
}

test('a mail says who wrote it and to whom, folds what it quotes, and names its files; what is written stays text', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana'])
  inbox.entries = [
    mailOf(
      {
        from: { name: 'Ana at work', address: 'ana@work.test' },
        recipients: {
          to: [{ name: '', address: 'desk+abcdefghij234567@agency.test' }],
          cc: [{ name: 'Maricel', address: 'maricel@visitor.test' }],
        },
        subject: 'Fwd: From the Department',
        quoted: 'On 21 Nov Mei wrote:\n> Hello <b>Ana</b>,\n> may I ring you?',
        attachments: [
          {
            id: 'a',
            name: 'Department.pdf',
            size: 412 * 1024,
            type: 'application/pdf',
            warning: null,
            state: 'kept',
          },
          {
            id: 'b',
            name: '<img src=x>.png',
            size: 2_000_000,
            type: 'image/png',
            warning: 'page',
            state: 'gone',
          },
        ],
        hasOriginal: true,
      },
      'It came <b>yesterday</b>.\nWhat now?',
    ),
  ]
  const { id } = inbox.messages[0] ?? messageFrom('Ana', 0)
  const pane = await open(page, id)
  const mail = pane.locator('article[data-kind="inbound"]')
  await expect(mail.locator('header')).toContainText('Ana at work')
  await expect(mail.locator('header')).toContainText('ana@work.test by email, to you and Maricel')
  await expect(mail).toContainText('Subject: Fwd: From the Department')
  await expect(mail.getByText('It came <b>yesterday</b>.')).toHaveAttribute('dir', 'auto')
  const quoted = mail.getByText('> Hello <b>Ana</b>,')
  await expect(quoted).toBeHidden()
  await mail.getByText('Quoted, 3 lines').click()
  await expect(quoted).toBeVisible()
  const files = mail.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
  await expect(files).toHaveText([
    /^Department\.pdf 412 kB$/,
    /^<img src=x>\.png 1\.9 MB, not keptThis is a web page, which can run scripts\. /,
  ])
  const links = files.getByRole('link')
  await expect(links).toHaveText(['Department.pdf'])
  await expect(links).toHaveAttribute('href', `/api/messages/${id}/attachments/a`)
  await expect(links).toHaveAttribute('download', '')
  const original = mail.getByRole('link', { name: 'Download the original email' })
  await expect(original).toHaveAttribute(
    'href',
    `/api/messages/${id}/entries/${inbox.entries[0]?.id}/original`,
  )
  await expect(original).toHaveAttribute('download', '')
})

test('formatting is shown in a frame that lets nothing run, and goes again', async ({ page, api }) => {
  const inbox = answerInbox(api, ['Ana'])
  inbox.entries = [mailOf({ hasFormatting: true })]
  const { id } = inbox.messages[0] ?? messageFrom('Ana', 0)
  const path = `/api/messages/${id}/entries/${inbox.entries[0]?.id}/formatted`
  const headers = { ...formattedMailHeaders('http://localhost'), 'Content-Type': 'text/html' }
  await page.route(`**${path}`, route => route.fulfill({ headers, body: '<h1>Thank you</h1>' }))
  const pane = await open(page, id)
  await pane.getByRole('button', { name: 'Show formatting' }).click()
  const frame = pane.locator('iframe')
  await expect(frame).toHaveAttribute('src', path)
  await expect(frame).toHaveAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox')
  await expect(frame).toHaveAttribute('title', 'Email from Ana with its formatting')
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await pane.getByRole('button', { name: 'Hide formatting' }).click()
  await expect(frame).toHaveCount(0)
})

test('a stranger is flagged, a mail that names another conversation leads there, and one that could not be read says so', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana', 'Bo'])
  const [ana = messageFrom('Ana', 0), bo = messageFrom('Bo', 1)] = inbox.messages
  inbox.entries = [
    mailOf({ sender: 'stranger', from: { name: 'Eve', address: 'eve@stranger.test' } }, 'Let me in'),
    mailOf({ problem: 'This email could not be read. Its original is kept.', hasOriginal: true }, '', 2),
  ]
  api.on(messages.read, ({ id }) => ({
    ...{ message: id === bo.id ? bo : ana, deliveryError: null, notes: [], earlier: null, firstReply: null },
    ...{ drafts: [], samePerson: [], newer: null, older: null, entries: inbox.entries, lastSeq: 2 },
    ...(id === ana.id && {
      mail: { ...MAIL, mayBelongTo: { id: bo.id, reference: bo.reference } },
    }),
  }))
  const pane = await open(page, ana.id)
  await expect(pane.getByText('Not from Ana: nobody is answered there by itself.')).toBeVisible()
  await expect(pane.locator('article').nth(1)).toContainText('Eve')
  await expect(pane.getByText('This email could not be read. Its original is kept.')).toBeVisible()
  await pane.getByText('May belong to').getByRole('link', { name: bo.reference }).click()
  await expect(page.getByRole('dialog', { name: 'Message from Bo' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog', { name: 'Message from Ana' })).toBeVisible()
})

test('what a machine has written is marked and folded to its first line', async ({ page, api }) => {
  const inbox = answerInbox(api, ['Ana'])
  inbox.entries = [mailOf({ automatic: true }, 'I am away until Monday.\nFor what is urgent, ring Bo.')]
  const pane = await open(page, inbox.messages[0]?.id ?? '')
  const mail = pane.locator('article[data-kind="automatic"]')
  await expect(mail.locator('header')).toContainText('Automatic')
  const rest = mail.getByText('For what is urgent')
  await expect(rest).toBeHidden()
  await mail.getByText('I am away until Monday.').first().click()
  await expect(rest).toBeVisible()
})

test('a picture is looked at on request, and one that cannot be drawn says so', async ({ page, api }) => {
  const inbox = answerInbox(api, ['Ana'])
  const file = { type: 'image/jpeg', warning: null, state: 'kept' } as const
  inbox.entries = [
    mailOf({
      attachments: [
        { id: 'a', name: 'Passport.jpg', size: 900, ...file },
        { id: 'b', name: 'Broken.jpg', size: 900, ...file },
        { id: 'c', name: 'List.pdf', size: 900, ...file },
      ],
    }),
  ]
  const dot = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  await page.route('**/attachments/a/preview', route =>
    route.fulfill({ contentType: 'image/gif', body: Buffer.from(dot, 'base64') }),
  )
  await page.route('**/attachments/b/preview', route => route.fulfill({ status: 415, json: {} }))
  const pane = await open(page, inbox.messages[0]?.id ?? '')
  const files = pane.getByRole('list', { name: 'Attachments' })
  await expect(files.getByRole('img')).toHaveCount(0)
  await files.getByRole('button', { name: 'Preview of Passport.jpg' }).click()
  await expect(files.getByRole('img', { name: 'Passport.jpg' })).toBeVisible()
  await files.getByRole('button', { name: 'Hide preview of Passport.jpg' }).click()
  await expect(files.getByRole('img')).toHaveCount(0)
  await files.getByRole('button', { name: 'Preview of Broken.jpg' }).click()
  await expect(files).toContainText('This cannot be looked at here. Download it.')
  await expect(files.getByRole('button', { name: /List/ })).toHaveCount(0)
})

test('a reply says by address who has it and who has not, why, and goes again to an address that was corrected', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana'])
  const ana = inbox.messages[0] ?? messageFrom('Ana', 0)
  const failed = reply({
    ...{ delivery: 'failed', cc: ['copy@visitor.test'], to: ana.email, lacking: [ana.email] },
    deliveryError: `Sent, but not to ${ana.email}: 550 5.1.1 User unknown`,
  })
  inbox.entries = [failed]
  const gate = createGate()
  api.on(messages.change, async ({ email = '' }) => {
    await gate.opened
    inbox.messages[0] = { ...ana, email, version: 2 }
    return { message: inbox.messages[0] }
  })
  api.on(conversation.retryReply, () => {
    const { to: _to, lacking: _lacking, ...sent } = failed
    inbox.entries = [
      { ...sent, delivery: 'sent', deliveryError: null, deliveredAt: '2026-11-23T00:10:00.000Z' },
    ]
    return { version: 3 }
  })
  const pane = await open(page, ana.id)
  await expect(pane.getByText('Delivered to copy@visitor.test')).toBeVisible()
  await expect(pane.getByText(`Not delivered to ${ana.email}: there is no such address.`)).toBeVisible()
  await expect(pane.getByText('The mail server said:')).toContainText('550 5.1.1 User unknown')
  await page.keyboard.press('r')
  const goesTo = pane.getByText('Goes to').locator('..')
  await expect(goesTo).toContainText(`Ana ${ana.email} failed`)
  await pane.getByRole('button', { name: 'Correct the address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Correct the address of Ana' })
  const field = dialog.getByLabel('Email')
  await expect(field).toHaveValue(ana.email)
  await field.fill('ana at home')
  await dialog.getByRole('button', { name: 'Save and send again' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await field.fill('ana@home.test')
  await dialog.getByRole('button', { name: 'Save and send again' }).click()
  gate.open()
  await expect(dialog).toHaveCount(0)
  await expect(pane.getByText('Delivered to ana@home.test, copy@visitor.test')).toBeVisible()
  await expect(goesTo).toContainText('Ana ana@home.test')
  await expect(goesTo).not.toContainText('failed')
  expect(api.calls.filter(each => /PATCH|retry/.test(each))).toEqual([
    `PATCH /api/messages/${ana.id}`,
    `POST /api/messages/${ana.id}/replies/${failed.id}/retry`,
  ])
})

test('the line above a reply names everybody who gets it, and a copy can be taken away', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana'])
  const pane = await open(page, inbox.messages[0]?.id ?? '')
  await pane.getByRole('heading').first().focus()
  await page.keyboard.press('r')
  const goesTo = pane.getByText('Goes to').locator('..')
  await expect(goesTo).toContainText('Ana visitor0@visitor.test')
  await goesTo.getByRole('button', { name: 'Add Cc' }).click()
  await pane.getByRole('textbox', { name: 'Cc' }).fill('one@copy.test, two@copy.test')
  await expect(goesTo).toContainText('one@copy.test Cc')
  await goesTo.getByRole('button', { name: 'No copy to one@copy.test' }).click()
  await expect(pane.getByRole('textbox', { name: 'Cc' })).toHaveValue('two@copy.test')
  await expect(goesTo).not.toContainText('one@copy.test')
})

test('a reply to somebody without an address says so, and goes once one is added', async ({ page, api }) => {
  const inbox = answerInbox(api, ['Ana'])
  const ana = { ...(inbox.messages[0] ?? messageFrom('Ana', 0)), email: '' }
  inbox.messages[0] = ana
  api.on(messages.change, ({ email = '' }) => {
    inbox.messages[0] = { ...ana, email }
    return { message: inbox.messages[0] }
  })
  const pane = await open(page, ana.id)
  await pane.getByRole('heading').first().focus()
  await page.keyboard.press('r')
  const goesTo = pane.getByText('Goes to').locator('..')
  await expect(goesTo).toContainText('Ana no email address')
  await goesTo.getByRole('button', { name: 'Add an address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an address for Ana' })
  await dialog.getByLabel('Email').fill('ana@home.test')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(goesTo).toContainText('Ana ana@home.test')
  expect(api.sent).toContainEqual(expect.objectContaining({ email: 'ana@home.test' }))
})

test('a conversation is downloaded as one file with what came, and one that cannot be read says so', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana'])
  const file = { size: 9, type: 'application/pdf', warning: null, state: 'kept' } as const
  inbox.entries = [mailOf({ attachments: [{ id: 'a', name: 'Passport.pdf', ...file }] }, 'Here it is.')]
  const { id } = inbox.messages[0] ?? messageFrom('Ana', 0)
  let isBroken = true
  await page.route(`**/api/messages/${id}/attachments/a`, route =>
    isBroken ? route.fulfill({ status: 503 }) : route.fulfill({ body: 'passport!' }),
  )
  const pane = await open(page, id)
  await pane.getByLabel('More actions').click()
  await pane.getByRole('button', { name: 'Download …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Download the conversation' })
  await dialog.getByRole('button', { name: 'Download ZIP' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Nothing was saved: please try again.')
  isBroken = false
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download ZIP' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('LF-0.zip')
  const text = (await readFile(await download.path())).toString('latin1')
  expect(text).toContain('files/001 Passport.pdfpassport!')
  expect(text).toContain('Here it is.')
  await expect(dialog).toBeHidden()
  await expect(toast(page)).toContainText('Conversation downloaded')
  await expect(pane.getByLabel('More actions')).toBeFocused()
})
