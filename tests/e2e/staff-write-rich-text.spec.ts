import { expect, type Page } from '@playwright/test'
import { RichText } from '../../src/content/rich-text.ts'
import { addPage } from './documents.ts'
import { test } from './hostile.ts'

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
  await expect(status(page)).toContainText(/Draft saved \d?\d:\d\d [ap]m/)
  const { draft } = await (await page.request.get(`/api${new URL(page.url()).pathname}`)).json()
  return RichText.parse(draft.body.blocks[0].text)
}

/** Milliseconds after it got the focus in which ProseMirror takes no selection from the browser, and some more. */
const SELECTION_PAUSE = 100

async function press(page: Page, ...keys: readonly string[]) {
  for (const key of keys) await page.keyboard.press(key)
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
