import { expect, type Locator, type Page } from '@playwright/test'
import { noteText, openMessage, paneOf, readConversation, replyText } from './conversation.ts'
import { fill } from './inbox.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const callText = (pane: Locator) => pane.getByRole('textbox', { name: 'What was said' })

async function begin(page: Page, installation: Installation) {
  const ids = await fill(installation, [
    { name: 'Ana', email: 'ana@visitor.test' },
    { name: 'Kiri', email: 'kiri@visitor.test' },
  ])
  const mei = await addStaff(installation, 'Mei Tanaka', { role: 'editor', inbox: 'answer' })
  await signIn(page, installation, mei)
  const [ana = '', kiri = ''] = ids
  return { ana, kiri, pane: await openMessage(page, ana, 'Ana') }
}

/** Holds the next call until the returned function is called, which waits for its reply. */
async function hold(page: Page, path: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(path, route => promise.then(() => route.continue()), { times: 1 })
  return async () => {
    const reply = page.waitForResponse(path)
    resolve()
    await (await reply).finished()
  }
}

async function beginCall(pane: Locator) {
  await pane.locator('summary[aria-label="More actions"]').click()
  await pane.getByRole('button', { name: 'Add phone call' }).click()
  await expect(callText(pane)).toBeFocused()
}

test('what is sent closes its own composer and nothing that somebody writes by then, and fails at once without a connection, when its text stays', async ({
  page,
  context,
  installation,
}) => {
  const { ana, kiri, pane } = await begin(page, installation)
  const other = paneOf(page, 'Kiri')
  const sendNote = await hold(page, '**/notes')
  await page.keyboard.press('n')
  await expect(pane.getByRole('button', { name: /^Add note/ })).toBeVisible()
  await page.keyboard.type('A note')
  await page.keyboard.press('Control+Enter')
  await pane.getByRole('tab', { name: 'Reply to Ana' }).click()
  await page.keyboard.type('Dear ')
  await sendNote()
  await expect(pane.getByText('A note')).toBeVisible()
  await page.keyboard.type('Ana')
  await expect(replyText(pane)).toHaveValue('Dear Ana')

  const sendCall = await hold(page, '**/calls')
  await beginCall(pane)
  await page.keyboard.type('She called')
  await page.keyboard.press('Control+Enter')
  await page.locator('.inbox-pane h2').click()
  await page.keyboard.press('ArrowRight')
  await expect(other.getByRole('button', { name: 'Reply' }).first()).toBeVisible()
  await beginCall(other)
  await page.keyboard.type('He ')
  await sendCall()
  await page.keyboard.type('called')
  await expect(callText(other)).toHaveValue('He called')
  await page.keyboard.press('Control+Enter')
  await expect(callText(other)).toBeHidden()
  expect(await readConversation(installation, ana)).toEqual(['call: She called', 'note: A note'])
  expect(await readConversation(installation, kiri)).toEqual(['call: He called'])

  await test.step('what is sent without a connection fails at once', async () => {
    const { ana, pane } = await begin(page, installation)
    // None of the characters is taken for a key.
    const form = Promise.withResolvers<void>()
    await page.route('**/composer-forms-*.js', route => form.promise.then(() => route.continue()))
    await openMessage(page, ana, 'Ana')
    await page.keyboard.press('r')
    await page.keyboard.type('Dear ')
    await expect(replyText(pane)).toHaveValue('Dear ')
    await expect(pane.getByRole('button', { name: /^Send reply/ })).toBeHidden()
    form.resolve()
    await expect(pane.getByRole('button', { name: /^Send reply/ })).toBeVisible()
    await page.keyboard.type('Ana')
    await expect(replyText(pane)).toHaveValue('Dear Ana')
    await expect(pane.getByRole('button', { name: 'Close enquiry' }).first()).toBeVisible()
    await expect(pane.getByText(/^Draft saved/)).toBeVisible()
    await context.setOffline(true)
    await page.keyboard.press('Control+Enter')
    await expect(pane.getByRole('alert')).toContainText('The server could not be reached.')
    await expect(replyText(pane)).toHaveValue('Dear Ana')
    await pane.getByRole('tab', { name: 'Note to the team' }).click()
    await page.keyboard.type('A note')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('The note about Ana was not added')).toBeVisible()
    await expect(noteText(pane)).toHaveValue('A note')
    await context.setOffline(false)
    // Right after the first press, a second one counts as a double click.
    await expect(async () => {
      await noteText(pane).press('Control+Enter')
      await expect(noteText(pane)).toBeHidden({ timeout: 3000 })
    }).toPass()
    await page.keyboard.press('r')
    await expect(replyText(pane)).toHaveValue('Dear Ana')
    await page.keyboard.press('Control+Enter')
    await expect(pane.getByText(/^Sending in/)).toBeVisible()
    expect(await readConversation(installation, ana)).toEqual(['reply: Dear Ana', 'note: A note'])
  })
})

test('a reply whose sending is not answered yet is taken back all the same', async ({
  page,
  installation,
}) => {
  const { ana, pane } = await begin(page, installation)
  const pressed = Promise.withResolvers<void>()
  await page.route('**/replies', async route => {
    const response = await route.fetch()
    await pressed.promise
    await route.fulfill({ response })
  })
  await page.keyboard.press('r')
  await expect(replyText(pane)).toBeFocused()
  await page.keyboard.type('The first thought')
  await page.keyboard.press('Control+Enter')
  const undo = pane.getByRole('button', { name: /^Undo/ })
  await expect(undo).toBeVisible()
  await expect(pane.getByRole('button', { name: /^Sending/ })).toBeVisible()
  await undo.dblclick()
  pressed.resolve()
  await expect(pane.getByText('Mei Tanaka took a reply back before it was sent')).toBeVisible()
  await expect(replyText(pane)).toHaveValue('The first thought')
  await expect(replyText(pane)).toBeEditable()
  await expect(page.getByText('could not be taken back')).toBeHidden()
  expect(await readConversation(installation, ana)).toEqual([])
})

test('Ctrl+Enter before the form of a reply or a note has been loaded sends it once, as it was then (found I2)', async ({
  page,
  installation,
}) => {
  for (const { kind, key, textOf } of [
    { kind: 'reply', key: 'r', textOf: replyText },
    { kind: 'note', key: 'n', textOf: noteText },
  ]) {
    const { ana } = await begin(page, installation)
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/composer-forms-*.js', route => promise.then(() => route.continue()))
    const pane = await openMessage(page, ana, 'Ana')
    await page.keyboard.press(key)
    await page.keyboard.type('Dear Ana')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.type(', and more')
    await expect(textOf(pane)).toHaveValue('Dear Ana')
    expect(await readConversation(installation, ana)).toEqual([])
    resolve()
    await expect(async () => {
      expect(await readConversation(installation, ana)).toEqual([`${kind}: Dear Ana`])
    }).toPass()
    await expect(textOf(pane)).toBeHidden()
    expect(await readConversation(installation, ana)).toEqual([`${kind}: Dear Ana`])
  }
})
