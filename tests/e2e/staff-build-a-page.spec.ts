import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { addPage } from './documents.ts'
import { signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const frame = (page: Page) => page.frameLocator('.content-editor-frame:not([inert])')
const blocks = (page: Page) => page.locator('.content-editor-item')

test.use({ viewport: { width: 1440, height: 900 } })

test.beforeEach(async ({ page, installation }) => {
  await signIn(page, installation, await addStaff(installation, 'Ana Editor', { role: 'editor' }))
})

/** Adds a block with the keyboard, and ends in its first field. */
async function add(page: Page, kind: string) {
  const count = await blocks(page).count()
  await page.locator('.content-editor-add > summary').press('Enter')
  await page.locator('.content-editor-add').getByRole('button', { name: kind, exact: true }).press('Enter')
  await expect(blocks(page)).toHaveCount(count + 1)
  await expect(blocks(page).last().locator(':focus')).toHaveCount(1)
}

test('an editor builds a page of every block with the keyboard, and a visitor reads it', async ({ page }) => {
  const { keyboard } = page
  await addPage(page, 'Prices')
  await page.getByRole('textbox', { name: 'Summary' }).fill('What our work costs.')
  await blocks(page).first().locator('summary').press('Enter')
  await blocks(page).first().getByRole('textbox', { name: 'Text', exact: true }).fill('Our work has a price.')

  await add(page, 'Table')
  await keyboard.type('What you pay us')
  const cell = (name: string) => page.getByRole('textbox', { name, exact: true })
  // The code of a table is loaded when one is shown, and Tab goes past what is not there yet.
  await expect(cell('Heading of column 1')).toBeVisible()
  await keyboard.press('Tab')
  await expect(cell('Heading of column 1')).toBeFocused()
  await keyboard.type('Work')
  await keyboard.press('Tab')
  await keyboard.type('Price')
  await keyboard.press('ArrowDown')
  await expect(cell('Row 1, Price')).toBeFocused()
  await cell('Row 1, Work').focus()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Opinion\tOn request\nForms\tBy agreement\nReview\tNothing')
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  })
  await expect(cell('Row 3, Price')).toHaveValue('Nothing')
  await cell('Row 3, Work').press('Alt+ArrowUp')
  await expect(cell('Row 2, Work')).toBeFocused()
  await expect(cell('Row 2, Work')).toHaveValue('Review')
  await expect(page.getByText('Moved to row 2 of 3.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove the row' }).press('Enter')
  await expect(cell('Row 3, Work')).toHaveCount(0)
  await page.locator('.content-editor-grid').getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(cell('Row 2, Work')).toHaveValue('Review')

  await add(page, 'Callout')
  await page.getByLabel('Kind', { exact: true }).selectOption('Important')
  await blocks(page).last().getByRole('textbox', { name: 'Text', exact: true }).fill('Bring your passport.')
  await add(page, 'Button')
  await keyboard.type('See all visas')
  await keyboard.press('Tab')
  await keyboard.type('/visas')
  await add(page, 'Enquiry form')
  await page.getByLabel('Kind of enquiry').selectOption('Visa assessment')

  // The callout goes above the table, and the focus with it.
  await blocks(page).nth(2).locator('summary').focus()
  await keyboard.press('Alt+ArrowUp')
  await expect(page.getByText('Moved to place 2 of 5.')).toBeVisible()
  await expect(blocks(page).nth(1).locator('summary')).toBeFocused()
  await page.getByRole('button', { name: 'Remove block 5' }).press('Enter')
  await expect(blocks(page)).toHaveCount(4)
  await keyboard.press('Enter')
  await expect(blocks(page)).toHaveCount(5)

  await expect(frame(page).locator('.site-callout + .site-grid')).toBeVisible()
  await frame(page).getByRole('rowheader', { name: 'Review' }).click()
  await expect(cell('Row 2, Work')).toBeFocused()

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.locator('.content-editor-status [role=status]')).toContainText('Live since')
  await page.goto('/prices')
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.getByRole('table', { name: 'What you pay us' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Review Nothing' })).toBeVisible()
    await expect(page.getByRole('note', { name: 'Important' })).toContainText('Bring your passport.')
    await expectAccessible(page)
  }
  await expect(page.locator('[aria-current=true]', { hasText: 'Visa assessment' })).toBeVisible()
  await page.getByRole('link', { name: 'See all visas' }).click()
  await expect(page).toHaveURL(/\/visas$/)
})

/** The words that the preview underlines. It is another frame with each change, so it may be gone while it is asked. */
async function expectMarked(page: Page, level: string, words: readonly string[]) {
  await expect(async () => {
    const read = (_: unknown, name: string) => [...(CSS.highlights.get(name) ?? [])].map(String)
    expect(await frame(page).locator('body').evaluate(read, `claim-${level}`)).toEqual(words)
  }).toPass({ timeout: 15_000 })
}

test('a number in a cell is marked and not the same digit beside it, and a fact takes its place (found E7)', async ({
  page,
}) => {
  await addPage(page, 'How long it takes')
  await page.getByRole('textbox', { name: 'Summary' }).fill('How long a decision takes.')
  await blocks(page).first().locator('summary').press('Enter')
  const text = blocks(page).first().getByRole('textbox', { name: 'Text', exact: true })
  await expect(text).toHaveAttribute('contenteditable', 'true')
  await text.click()
  await page.keyboard.type('The wait is long.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('You must be under 45, as people under 45 know.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Write to us.')
  await add(page, 'Table')
  await page.keyboard.type('Times')
  const cell = (name: string) => page.getByRole('textbox', { name, exact: true })
  await cell('Heading of column 1').fill('Subclass')
  await cell('Heading of column 2').fill('Time')
  await cell('Row 1, Subclass').fill('190')
  await cell('Row 1, Time').fill('9 months')
  await page.getByRole('button', { name: 'Remove the row' }).waitFor()
  await cell('Row 2, Subclass').fill('491')
  await expectMarked(page, 'reason', ['45', '9 months'])
  await expect(page.getByRole('region', { name: 'Claims in the draft' }).locator('mark')).toHaveText([
    '45',
    '9 months',
  ])

  await cell('Row 1, Time').fill('')
  await page.getByRole('button', { name: 'Fact', exact: true }).last().click()
  const { facts } = await (await page.request.get('/api/content/facts')).json()
  const [{ name, fact }] = facts
  await page.getByRole('combobox', { name: 'Fact' }).selectOption(name)
  await page.getByRole('button', { name: 'Add fact' }).click()
  await expect(cell('Row 1, Time')).toBeFocused()
  await expect(cell('Row 1, Time')).toHaveValue(`{${name}}`)
  await expect(cell('Row 1, Time')).toHaveAccessibleDescription(new RegExp(`${fact.value}`))
  await expectMarked(page, 'reason', ['45'])
})
