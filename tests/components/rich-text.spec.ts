import { expect, type Page } from '@playwright/test'
import { RichText } from '../../src/content/rich-text.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Format of Text' }).getByRole('button', { name, exact: true })

/** Milliseconds after it got the focus in which ProseMirror takes no selection from the browser, and some more. */
const SELECTION_PAUSE = 100

async function openText(page: Page) {
  await page.goto('/rich-text')
  await expect(text(page)).toHaveAttribute('contenteditable', 'true')
  await text(page).click()
}

/** What would be stored, which is a text that may be published. */
async function readStored(page: Page) {
  return RichText.parse(JSON.parse(await page.getByLabel('Stored').innerText()))
}

async function press(page: Page, ...keys: readonly string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

async function pasteInto(page: Page, clipboard: { html?: string; text?: string }) {
  await text(page).evaluate((element, { html, text: plain }) => {
    const clipboardData = new DataTransfer()
    if (html) clipboardData.setData('text/html', html)
    clipboardData.setData('text/plain', plain ?? '')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, clipboard)
}

test.beforeEach(({ api }) => answerPortal(api))

test('whatever an editor pastes, its text is kept and nothing of it runs (W3)', async ({ page }) => {
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  await page.addInitScript(() =>
    Object.defineProperty(window, 'attacked', {
      set() {
        throw new Error('a text has run')
      },
    }),
  )
  await openText(page)
  const word = `<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>1.</span>Item of Word<o:p></o:p></p>`
  for (const html of [
    `<html><head><style>p{color:red}</style></head><body><!--[if gte mso 9]><xml></xml><![endif]-->${word}</body></html>`,
    `<b style="font-weight:normal"><p style="position:fixed;inset:0">Item of Docs</p></b>`,
    `${'<div style="color:red">'.repeat(1000)}Nested deep${'</div>'.repeat(1000)}`,
    ...hostileTexts.map(each => `<p onclick="attacked=1">${each}</p>`),
  ])
    await pasteInto(page, { html })
  for (const each of hostileTexts) await pasteInto(page, { text: each })
  for (const kept of ['Item of Word', 'Item of Docs', 'Nested deep', '<img src=x onerror=attacked=1>'])
    await expect(text(page)).toContainText(kept)
  await expect(text(page).locator('ol > li')).toContainText('Item of Word')
  const planted =
    'base, embed, object, marquee, [srcdoc], [onerror], [onload], [autofocus][onfocus], [http-equiv=refresh]'
  await expect(page.locator(planted)).toHaveCount(0)
  await expect(text(page).locator('[style], [onclick], img:not(.ProseMirror-separator), a')).toHaveCount(0)
  await readStored(page)
  expect(requests.filter(url => url.includes('attacked'))).toEqual([])

  await press(page, 'ControlOrMeta+a', 'Delete')
  await page.keyboard.type('Our fees')
  await press(page, 'ControlOrMeta+Shift+ArrowLeft')
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('fees')
  await page.waitForTimeout(SELECTION_PAUSE)
  await pasteInto(page, { text: 'https://agency.test/fees' })
  const link = text(page).getByRole('link', { name: 'fees', exact: true })
  await expect(link).toHaveAttribute('href', 'https://agency.test/fees')
  await pasteInto(page, { text: 'line\n'.repeat(1001) })
  await expect(toast(page)).toContainText('Paste it in parts')
  await expect(text(page)).toHaveText('Our fees')
})

const keyCodes: Readonly<Record<string, number>> = {
  ...{ Backspace: 8, Enter: 13, Escape: 27, End: 35, Home: 36, ArrowLeft: 37, ArrowRight: 39, Delete: 46 },
}
const modifierBits: Readonly<Record<string, number>> = { Control: 2, Shift: 8 }

/** Sends keys as fast as the browser takes them: none waits for what the one before it has done. */
async function pressAtOnce(page: Page, ...keys: readonly string[]) {
  const session = await page.context().newCDPSession(page)
  const sent = keys.flatMap(pressed => {
    const parts = pressed.split('+')
    const key = parts.pop() ?? ''
    const modifiers = parts.reduce((bits, each) => bits | (modifierBits[each] ?? 0), 0)
    const code = keyCodes[key] ?? key.toUpperCase().charCodeAt(0)
    const typed = key.length === 1 && modifiers === 0 ? { text: key } : key === 'Enter' ? { text: '\r' } : {}
    const common = { key, modifiers, windowsVirtualKeyCode: code, nativeVirtualKeyCode: code }
    return [
      session.send('Input.dispatchKeyEvent', {
        type: 'text' in typed ? 'keyDown' : 'rawKeyDown',
        ...common,
        ...typed,
      }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
    ]
  })
  await Promise.all(sent)
  await session.detach()
}

test('keys that follow each other without a pause lose nothing and mean the text that was selected (found E13)', async ({
  page,
}) => {
  await openText(page)
  const link = page.getByRole('dialog', { name: 'Add a link' })
  for (const word of ['seven', 'eight', 'nine']) {
    await press(page, 'ControlOrMeta+a', 'Delete')
    await page.keyboard.type(`Before ${word}`)
    const back = [...word].map(() => 'Shift+ArrowLeft')
    // The dialog has what is typed after Ctrl+K, and the text has the one after Escape.
    await pressAtOnce(page, ...back, 'Control+k', '/', 'f', 'e', 'e', 's')
    await expect(link.getByLabel('Text')).toHaveValue(word)
    await expect(link.getByLabel('Address')).toHaveValue('/fees')
    await pressAtOnce(page, 'Enter', 'End', 'y', 'Home', 'x', 'Shift+ArrowRight', 'Delete')
    await expect(text(page)).toHaveText(`xefore ${word}y`)
    await expect(text(page).getByRole('link', { name: word, exact: true })).toHaveAttribute('href', '/fees')
    await pressAtOnce(page, 'End', 'Shift+ArrowLeft', 'Control+b', 'Home', 'Shift+ArrowRight', 'Control+i')
    await expect(text(page).locator('strong')).toHaveText('y')
    await expect(text(page).locator('em')).toHaveText('x')
  }
})

const paragraph = (words: string) => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })

test('what somebody else writes comes into the text without moving the cursor or losing an undo', async ({
  page,
}) => {
  await openText(page)
  await page.keyboard.type('First of all')
  await press(page, 'Enter')
  await page.keyboard.type('and last')
  await press(page, 'ArrowLeft', 'ArrowLeft')
  await page.evaluate(detail => dispatchEvent(new CustomEvent('story-text', { detail })), {
    type: 'doc',
    content: [paragraph('Before: First of all'), paragraph('and last')],
  })
  await expect(text(page)).toHaveText('Before: First of alland last')
  await page.keyboard.type('at ')
  await expect(text(page).locator('p').last()).toHaveText('and laat st')
  await press(page, 'ControlOrMeta+z', 'ControlOrMeta+z')
  await expect(text(page)).toHaveText(/^Before: /)
  await expect(text(page)).not.toContainText('at st')
})

/** In the document, which may scroll, once its fonts are there. */
const placeOf = (page: Page) =>
  text(page).evaluate(async element => {
    await document.fonts.ready
    const { left, top, width, height } = element.getBoundingClientRect()
    return [left, top + scrollY, width, height]
  })

test('while the editor of the text cannot be loaded, the text is shown in its place and can be tried again', async ({
  page,
}) => {
  await page.route(/\/assets\/editor-[^/]*\.js/, route => route.abort(), { times: 1 })
  await page.goto('/rich-text')
  await expect(page.getByRole('alert')).toContainText('could not be loaded. Nothing is lost.')
  await expect(text(page)).toHaveAttribute('aria-readonly', 'true')
  await page.evaluate(detail => dispatchEvent(new CustomEvent('story-text', { detail })), {
    type: 'doc',
    content: [paragraph('Our fees')],
  })
  await expect(text(page)).toHaveText('Our fees')
  const before = await placeOf(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(text(page)).toHaveAttribute('contenteditable', 'true')
  await expect(text(page)).toHaveText('Our fees')
  expect(await placeOf(page)).toEqual(before)
  await expect(tool(page, 'Undo')).toBeVisible()
})
