import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import { RichText } from '../../src/content/rich-text.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { expectNoComplaints } from './axe.ts'
import { addPage } from './documents.ts'
import { expectUnharmed, test } from './hostile.ts'
import { type Installation, signIn } from './installation.ts'
import { addStaff } from './staff.ts'

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Format of Text' }).getByRole('button', { name, exact: true })
const status = (page: Page) => page.locator('.content-editor-status [role=status]')

/** Adds a page and ends in the text of its first block. */
async function addText(page: Page, title: string) {
  await addPage(page, title)
  await page.locator('.content-editor-item summary').first().click()
  await expect(text(page)).toHaveAttribute('contenteditable', 'true')
  await text(page).click()
}

/** The text as the server has stored it, which is one that may be published. */
async function readSaved(page: Page) {
  await expect(status(page)).toContainText(/Draft saved \d\d:\d\d/)
  const { draft } = await (await page.request.get(`/api${new URL(page.url()).pathname}`)).json()
  return RichText.parse(draft.body.blocks[0].text)
}

/** Milliseconds after it got the focus in which ProseMirror takes no selection from the browser, and some more. */
const SELECTION_PAUSE = 100

async function press(page: Page, ...keys: readonly string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

/** @returns milliseconds until it is in the text */
async function pasteInto(page: Page, clipboard: { html?: string; text?: string }) {
  return await text(page).evaluate((element, { html, text: plain }) => {
    const started = performance.now()
    const clipboardData = new DataTransfer()
    if (html) clipboardData.setData('text/html', html)
    clipboardData.setData('text/plain', plain ?? '')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    return performance.now() - started
  }, clipboard)
}

test('an editor writes headings, lists, a link and a fact with the keyboard alone, and undoes it all', async ({
  admin: page,
}) => {
  await addText(page, 'What we charge')
  await page.keyboard.type('Prices')
  await press(page, 'ControlOrMeta+Shift+2', 'Enter')
  await page.keyboard.type('We charge ')
  await press(page, 'ControlOrMeta+b')
  await page.keyboard.type('before')
  await press(page, 'ControlOrMeta+b')
  await page.keyboard.type(' we start.')
  await press(page, 'Enter')
  await page.keyboard.type('- first')
  await press(page, 'Enter')
  await page.keyboard.type('second')
  await press(page, 'Alt+F10', 'End', 'Home', 'ArrowLeft', 'ArrowLeft')
  await expect(tool(page, 'Undo')).toBeFocused()
  await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
  await expect(tool(page, 'Move the item in')).toBeFocused()
  await press(page, 'Enter')
  await expect(tool(page, 'Move the item in')).toHaveAttribute('aria-disabled', 'true')
  await press(page, 'Escape')
  await expect(text(page)).toBeFocused()

  await page.waitForTimeout(SELECTION_PAUSE)
  await press(page, 'ControlOrMeta+Shift+ArrowLeft')
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('second')
  await press(page, 'ControlOrMeta+k')
  const link = page.getByRole('dialog', { name: 'Add a link' })
  await expect(link.getByLabel('Text')).toHaveValue('second')
  await page.keyboard.type('javascript:attacked=1')
  await press(page, 'Enter')
  await expect(link.getByLabel('Address')).toHaveAccessibleDescription(
    /Give an address on this site, a full one that starts with https:\/\/, mailto: or tel:/,
  )
  await link.getByLabel('Address').fill('/contact')
  await press(page, 'Enter')
  await expect(text(page)).toBeFocused()

  await page.keyboard.type(' for ')
  const { facts } = await (await page.request.get('/api/content/facts')).json()
  const { name, fact } = facts[0]
  await press(page, 'Alt+F10', 'ArrowRight', 'ArrowRight')
  await expect(tool(page, 'Fact')).toBeFocused()
  await press(page, 'Enter')
  await page.getByRole('combobox', { name: 'Fact' }).selectOption(name)
  await press(page, 'Tab', 'Tab', 'Enter')
  await expect(text(page)).toBeFocused()

  await expect(text(page)).toMatchAriaSnapshot(`
    - textbox "Text":
      - heading "Prices" [level=2]
      - paragraph:
        - text: We charge
        - strong: before
        - text: we start.
      - list:
        - listitem:
          - paragraph: first
          - list:
            - listitem:
              - paragraph:
                - link "second":
                  - /url: /contact
                - text: ${JSON.stringify(`for ${fact.value} ${fact.unit}`.trim())}
  `)
  const strong = { marks: [{ type: 'strong' }] }
  const written = await readSaved(page)
  const paragraph = (...content: readonly object[]) => ({ type: 'paragraph', content })
  const list = (...content: readonly object[]) => ({
    ...{ type: 'bullet_list', content: [{ type: 'list_item', content }] },
  })
  expect(written.content).toEqual([
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Prices' }] },
    paragraph(
      { type: 'text', text: 'We charge ' },
      { type: 'text', text: 'before', ...strong },
      { type: 'text', text: ' we start.' },
    ),
    list(
      paragraph({ type: 'text', text: 'first' }),
      list(
        paragraph(
          { type: 'text', text: 'second', marks: [{ type: 'link', attrs: { href: '/contact' } }] },
          { type: 'text', text: ' for ' },
          { type: 'fact', attrs: { name } },
        ),
      ),
    ),
  ])
  await expectNoComplaints(page)

  // The save has left the history as it was.
  await text(page).focus()
  await expect(async () => {
    await press(page, 'ControlOrMeta+z')
    await expect(tool(page, 'Undo')).toHaveAttribute('aria-disabled', 'true', { timeout: 20 })
  }).toPass({ intervals: [1] })
  await expect(text(page)).toHaveText('')
  await expect(async () => {
    await press(page, 'ControlOrMeta+Shift+z')
    await expect(tool(page, 'Redo')).toHaveAttribute('aria-disabled', 'true', { timeout: 20 })
  }).toPass({ intervals: [1] })
  await expect(status(page)).toContainText('Saving')
  expect(await readSaved(page)).toEqual(written)

  await press(page, 'Backspace')
  await expect(text(page).locator('[data-fact]')).toHaveCount(0)
  for (const key of ['z', 'a', 'c', 'End', 'v']) {
    await press(page, `ControlOrMeta+${key}`)
    await page.waitForTimeout(SELECTION_PAUSE)
  }
  await expect(text(page).locator(`[data-fact="${name}"]`)).toHaveCount(2)
})

test('whatever an editor pastes, its text is kept and nothing of it runs (W3)', async ({ admin: page }) => {
  await addText(page, 'Pasted')
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
  await expectUnharmed(page)
  await expect(text(page).locator('[style], [onclick], img:not(.ProseMirror-separator), a')).toHaveCount(0)
  await readSaved(page)

  await press(page, 'ControlOrMeta+a', 'Delete')
  await page.keyboard.type('Our fees')
  await press(page, 'ControlOrMeta+Shift+ArrowLeft')
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('fees')
  await page.waitForTimeout(SELECTION_PAUSE)
  await pasteInto(page, { text: 'https://agency.test/fees' })
  await expect(text(page).getByRole('link', { name: 'fees', exact: true })).toHaveAttribute(
    'href',
    'https://agency.test/fees',
  )
  await pasteInto(page, { text: 'line\n'.repeat(1001) })
  await expect(page.getByRole('alert')).toContainText('Paste it in parts')
  expect(await pasteInto(page, { text: 'word '.repeat(200_000) })).toBeLessThan(2000)
  await press(page, 'ControlOrMeta+z')
  await expect(text(page)).toHaveText('Our fees')
})

async function openOther(page: Page, installation: Installation) {
  const browser = page.context().browser()
  const other = await browser?.newPage({ baseURL: installation.url })
  if (!other) throw new Error('The browser is gone')
  await signIn(other, installation, await addStaff(installation, 'Ben Editor', { role: 'editor' }))
  await other.goto(page.url())
  await other.locator('.content-editor-item summary').first().click()
  // Until the editor is loaded, the text is there for reading only, and takes no key.
  await expect(text(other)).toHaveAttribute('contenteditable', 'true')
  return other
}

test('what somebody else writes comes into the text without moving the cursor or losing an undo', async ({
  admin: page,
  installation,
}) => {
  await addText(page, 'Shared')
  await page.keyboard.type('First of all')
  await press(page, 'Enter')
  await page.keyboard.type('and last')
  await readSaved(page)
  const other = await openOther(page, installation)
  await text(other).locator('p').first().click()
  await press(other, 'Home')
  await other.keyboard.type('Before: ')
  await readSaved(other)

  // In the background the first key would be lost.
  await page.bringToFront()
  await press(page, 'ArrowLeft', 'ArrowLeft')
  const summary = page.getByRole('textbox', { name: 'Summary' })
  await summary.fill('Two people write.')
  await expect(text(page)).toHaveText('Before: First of alland last')
  await page.locator('[data-field="blocks.0.text"] label').click()
  await page.keyboard.type('at ')
  await expect(text(page).locator('p').last()).toHaveText('and laat st')
  await press(page, 'ControlOrMeta+z', 'ControlOrMeta+z')
  await expect(text(page)).toHaveText(/^Before: /)
  await expect(text(page)).not.toContainText('at st')
  await other.context().close()
})

/** In the document, which may scroll. */
const placeOf = async (locator: Locator) =>
  await locator.evaluate(element => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [left, top + scrollY, width, height]
  })

test('while the editor of the text cannot be loaded, the text is shown and nothing is lost', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await addText(page, 'Far away')
  await page.keyboard.type('Still here')
  await readSaved(page)
  const manifest = JSON.parse(readFileSync('build/browser/.vite/manifest.json', 'utf8'))
  const { file } = manifest['src/features/content-editor/rich-text/editor.tsx']
  await page.route(`**/${file}`, route => route.abort(), { times: 1 })
  await page.reload()
  await page.locator('.content-editor-item summary').first().click()
  await expect(page.getByRole('alert')).toContainText('could not be loaded. Nothing is lost.')
  await expect(text(page)).toHaveText('Still here')
  await expect(text(page)).toHaveAttribute('aria-readonly', 'true')
  const before = await placeOf(text(page))
  await expectNoComplaints(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(text(page)).toHaveAttribute('contenteditable', 'true')
  expect(await placeOf(text(page))).toEqual(before)
  await text(page).click()
  await press(page, 'End')
  await page.keyboard.type(', and more')
  expect((await readSaved(page)).content).toHaveLength(1)
})
