import { expect, type Page } from '@playwright/test'
import { expectNoComplaints } from './axe.ts'
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
  await expectNoComplaints(page)

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
    await expectNoComplaints(page)
  }
  await expect(page.locator('[aria-current=true]', { hasText: 'Visa assessment' })).toBeVisible()
  await page.getByRole('link', { name: 'See all visas' }).click()
  await expect(page).toHaveURL(/\/visas$/)
})

test('an editor sees a claim while writing, at the field, in the list and in the preview, until other words are there', async ({
  page,
}) => {
  await addPage(page, 'Our promise')
  await page.getByRole('textbox', { name: 'Summary' }).fill('What our work costs.')
  const summary = page.getByRole('textbox', { name: 'Summary' })
  const found = page.getByRole('region', { name: 'Claims in the draft' })
  await expect(found).toContainText('nothing to look at')
  await summary.fill('We guarantee your visa.')
  await expect(found).toContainText(/1 to look at.*Stop.*We guarantee your visa\./s)
  await expect(summary).toHaveAccessibleDescription(/Stop “guarantee”/)
  await expect(frame(page).locator('[data-edit="description"]')).toHaveAttribute('data-claim', 'stop')
  await expectNoComplaints(page)
  await found.getByRole('button', { name: 'Summary' }).click()
  await expect(summary).toBeFocused()
  await summary.fill('We prepare your application.')
  await expect(found).toContainText('nothing to look at')
  await expect(frame(page).locator('[data-claim]')).toHaveCount(0)
  await expect(summary).not.toHaveAccessibleDescription(/guarantee/)
})
