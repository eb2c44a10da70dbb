import { expect, type Page } from '@playwright/test'
import { fill, named } from './inbox.ts'
import { signIn, testApart } from './installation.ts'

const test = testApart()

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const message = (page: Page, name: string) => page.getByRole('dialog', { name: `Message from ${name}` })

test('a window that becomes narrow turns the pane into a sheet, which keeps what was typed in it', async ({
  page,
  installation,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, installation)
  await fill(installation, named('Ana', 3))
  await page.goto('/messages')
  await link(page, 'Ana 0').click()
  const older = message(page, 'Ana 0').getByRole('button', { name: 'Older message' })
  await older.focus()
  await page.setViewportSize({ width: 1100, height: 800 })
  await expect(page.locator('dialog:modal')).toHaveCSS('width', '640px')
  await expect(older).toBeFocused()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.locator('dialog:modal')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(link(page, 'Ana 0')).toBeFocused()
})
