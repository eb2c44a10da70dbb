import { expect, type Page } from '@playwright/test'
import { expectTexts, toast } from '../e2e/expect-texts.ts'
import { signIn, test } from '../e2e/installation.ts'
import { writeEntries } from '../e2e/log-entries.ts'

const rows = (page: Page) => page.locator('.logs-table tbody tr:not(.table-gap)')

test('a link to a log entry opens it wherever it is in the list', async ({ page, installation }) => {
  await writeEntries(installation, 150, 2, 'Far down')
  await signIn(page, installation)
  const { logs } = await (await page.request.get('/api/logs?level=warning&limit=200')).json()
  const { id } = logs.find(({ message }: { message: string }) => message === 'Far down 1')
  await page.goto(`/logs?source=Auth&log=${id}`)
  await expect(page.getByRole('dialog', { name: 'Log Details' })).toContainText('Far down 1')
})

test('a log that cannot be read or deleted says so, and works again when it can', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  await page.route('**/api/logs*', route =>
    route.fulfill({ status: 500, json: { success: false, message: '' } }),
  )
  await page.goto('/logs')
  await expectTexts(page, '/logs', 'Failed to load logs. Please try again.')
  await page.getByRole('button', { name: 'Delete Old Logs' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectTexts(toast(page), '/logs', 'Error', 'Failed to delete logs')
  await page.unroute('**/api/logs*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page).first()).toBeVisible()
  await page.route('**/api/logs*', route => route.abort())
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectTexts(page, '/logs', 'Failed to fetch logs')
  await expect(rows(page).first()).toBeVisible()
})

test('the list goes on while one scrolls, holds few rows, and is walked with the keyboard', async ({
  page,
  installation,
}) => {
  await writeEntries(installation, 1200, 3, 'Long list')
  await signIn(page, installation)
  await page.goto('/logs?level=warning&source=API')
  await expect(rows(page).first()).toBeVisible()
  await expect(async () => {
    await page.mouse.wheel(0, 20_000)
    await expect(page.getByText('Long list 1', { exact: true })).toBeVisible({ timeout: 50 })
  }).toPass({ intervals: [50], timeout: 90_000 })
  expect(await rows(page).count()).toBeLessThan(250)
  const count = await page.getByRole('table').getAttribute('aria-rowcount')
  expect(Number(count)).toBeGreaterThan(800)
  await expect(rows(page).last()).toHaveAttribute('aria-rowindex', String(count))
  const last = page.getByRole('button', { name: 'View Details of: Long list 1', exact: true })
  await last.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'View Details of: Long list 2', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Long list 2')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'View Details of: Long list 2', exact: true })).toBeFocused()
  await page.evaluate(() => scrollTo(0, 0))
  await expect(rows(page).first()).toBeInViewport()
})
