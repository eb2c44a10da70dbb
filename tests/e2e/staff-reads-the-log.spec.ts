import { expect, type Page } from '@playwright/test'
import { devices, expectNoComplaints } from './axe.ts'
import { expectTexts, toast } from './expect-texts.ts'
import { signIn, signInByHand, test } from './installation.ts'
import { writeEntries } from './log-entries.ts'
import { addStaff } from './staff.ts'

const rows = (page: Page) => page.locator('.logs-table tbody tr:not(.table-gap)')

test('an admin finds in the log what has just happened, and reads it whole', async ({
  page,
  installation,
}) => {
  await writeEntries(installation, 3, 1, 'Yesterday')
  await signInByHand(page, installation, await addStaff(installation, 'Ada Admin', { role: 'admin' }))
  await page.goto('/logs')
  const signedIn = rows(page).filter({ hasText: 'Signed in' }).first()
  await expect(signedIn).toContainText(/Info.*Auth.*Signed in.*\w{3} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d [AP]M/s)

  await expectTexts(signedIn, '/logs', '{date and time with seconds}', 'View Details')
  await expectTexts(page.locator('thead'), '/logs', 'Level', 'Source', 'Message', 'Date')
  await expectTexts(page, '/logs', 'Refresh', 'Delete Old Logs', 'Log Level', 'Log Source')
  const levels = page.getByLabel('Log Level')
  await expectTexts(levels, '/logs', 'Debug', 'Info', 'Warning', 'Error', 'Critical')
  const sources = page.getByLabel('Log Source')
  await expectTexts(sources, '/logs', 'FormService', 'EmailService', 'API', 'Auth')

  await page.getByLabel('Log Level').selectOption('Warning')
  await page.getByLabel('Log Source').selectOption('API')
  await expect(page).toHaveURL(/\/logs\?level=warning&source=API$/)
  await expect(rows(page).filter({ hasText: 'Yesterday 3' })).toBeVisible()
  await expect(signedIn).toBeHidden()
  await page.reload()
  await expect(page.getByLabel('Log Level')).toHaveValue('warning')
  await expect(rows(page).filter({ hasText: 'Yesterday 3' })).toBeVisible()

  await page.getByRole('button', { name: 'View Details of: Yesterday 2' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log Details' })
  for (const text of ['Warning', 'API', 'Yesterday 2', '192.0.2.44', '<b>An agent</b>'])
    await expect(dialog).toContainText(text)
  await expectTexts(dialog, '/logs', 'IP Address', 'User ID', 'User Agent')
  await expect(dialog.getByRole('region', { name: 'Details' })).toHaveText(
    /\{\n {2}"markup": "<img src=x onerror=alert\(1\)>",\n {2}"nested": \{\n {4}"number": 1\n {2}\}\n\}/,
    { useInnerText: true },
  )
  await page.reload()
  await expect(dialog).toContainText('Yesterday 2')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByLabel('Log Level').selectOption('Critical')
  await expectTexts(page, '/logs', 'No logs found matching the current filters.')
})

test('an admin finds what a person did and where a text occurs, and reads it beside the list', async ({
  page,
  installation,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await writeEntries(installation, 3, 1, 'By nobody known')
  await signInByHand(page, installation, await addStaff(installation, 'Tom Okafor', { role: 'admin' }))
  await page.goto('/logs')
  await page.getByLabel('Person').selectOption('Tom Okafor')
  await expect(rows(page).filter({ hasText: 'By nobody known' })).toHaveCount(0)
  await expect(rows(page).first()).toContainText('Tom Okafor')

  await page.goto('/logs')
  await page.getByLabel('Search the log').fill('known NOBODY 2')
  await expect(page).toHaveURL(/q=known/)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(rows(page).filter({ hasText: 'By nobody known' })).not.toHaveCount(0)
  const row = rows(page).filter({ hasText: 'Deleted user By nobody known 2' })
  await row.getByRole('button').click()
  const details = page.getByRole('complementary', { name: 'Log Details' })
  await expect(details).toContainText('192.0.2.44')
  await expect(row).toHaveAttribute('aria-current', 'true')
  await expectNoComplaints(page)
  // The list stays in use beside it.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await expect(row.getByRole('button')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await row.getByRole('button').click()
  await details.getByRole('link', { name: 'Only what this person did' }).click()
  await expect(page).toHaveURL(/\/logs\?userId=/)
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByLabel('Person')).toContainText('Deleted user')
})

test('a link to a log entry opens it wherever it is in the list', async ({ page, installation }) => {
  await writeEntries(installation, 150, 2, 'Far down')
  await signIn(page, installation)
  const { logs } = await (await page.request.get('/api/logs?level=warning&limit=200')).json()
  const { id } = logs.find(({ message }: { message: string }) => message === 'Far down 1')
  await page.goto(`/logs?source=Auth&log=${id}`)
  await expect(page.getByRole('dialog', { name: 'Log Details' })).toContainText('Far down 1')
})

test('an admin deletes the old log entries, and no others', async ({ page, installation }) => {
  await writeEntries(installation, 12, 31, 'Old')
  await writeEntries(installation, 2, 29, 'Young')
  await signIn(page, installation)
  await page.goto('/logs?level=warning')
  await page.getByRole('button', { name: 'Delete Old Logs' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete Old Logs' })
  await expect(question).toContainText('delete all logs older than 30 days')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete Old Logs' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectTexts(page, '/logs', 'Logs Deleted', 'Successfully deleted {count} old logs.')
  await expect(page.getByText('Successfully deleted 12 old logs.')).toBeVisible()
  await expect(question).toBeHidden()
  await expect(rows(page).first()).toContainText('Old log entries deleted')
  const { logs } = await (await page.request.get('/api/logs?level=warning&limit=200')).json()
  const messages: string[] = logs.map(({ message }: { message: string }) => message)
  expect(messages.filter(message => /^Old \d/.test(message))).toEqual([])
  expect(messages.filter(message => /^Young \d/.test(message))).toEqual(['Young 2', 'Young 1'])
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

for (const { device, viewport } of devices)
  test.describe(`on a ${device}`, () => {
    test.use({ viewport })

    test('the log and its dialogs have nothing that axe complains of', async ({ page, installation }) => {
      await writeEntries(installation, 3, 0, `A line with a long message ${'that goes on '.repeat(20)}`)
      await signIn(page, installation)
      await page.goto('/logs')
      await expect(rows(page).first()).toBeVisible()
      await expect(page.locator('#toast')).toBeHidden({ timeout: 8000 })
      await expectNoComplaints(page)
      await page
        .getByRole('button', { name: /View Details/ })
        .first()
        .click()
      await expectNoComplaints(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Delete Old Logs' }).click()
      await expectNoComplaints(page)
    })
  })
