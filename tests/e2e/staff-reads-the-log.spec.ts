import { expect, type Page } from '@playwright/test'
import { expectTexts } from './expect-texts.ts'
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
