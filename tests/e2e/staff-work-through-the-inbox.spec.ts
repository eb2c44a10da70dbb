import { expect, type Page } from '@playwright/test'
import { devices, expectNoComplaints } from './axe.ts'
import { expectTexts, toast } from './expect-texts.ts'
import { failEmail, fill, named } from './inbox.ts'
import { signIn, test } from './installation.ts'
import { chooseRowAction } from './row-actions.ts'
import { withDatabase } from './staff.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dialogOf = (page: Page, name: string) =>
  page.getByRole('dialog', { name: `Message from ${name}`, exact: true })
test.describe('Inbox', () => {
  test.beforeEach(({ page, installation }) => signIn(page, installation))

  test('an admin finds a message by its words, and the URL keeps the search', async ({
    page,
    installation,
  }) => {
    await fill(installation, [
      ...named('Ana', 3),
      { name: 'Kiri', message: 'Is there a kookaburra visa?', form_type: 'tracking' },
    ])
    await page.goto('/messages')
    const columns = ['Date', 'Name', 'Email', 'Type', 'Status', 'Actions']
    await expect(page.getByRole('columnheader')).toHaveText(columns)
    const head = page.locator('thead')
    await expectTexts(head, '/messages', 'Date', 'Name', 'Email', 'Type', 'Status', 'Actions')
    await expectTexts(row(page, 'Kiri'), '/messages', '{date and time}')
    await expect(page.getByText('4 messages', { exact: true })).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('KOOKABURRA')
    await expect(page.getByText('1 message found', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\?q=KOOKABURRA$/)
    await page.reload()
    await expect(page.getByRole('searchbox')).toHaveValue('KOOKABURRA')
    await expect(row(page, 'Kiri')).toContainText('Tracking Form')
    await page.getByRole('searchbox').press('Escape')
    await expect(row(page, 'Ana 2')).toBeVisible()
    await expect(page).toHaveURL(/\/messages$/)
    await page.getByRole('searchbox').fill('wombat')
    await expectTexts(page, '/messages', 'No messages found')
    await page.getByRole('button', { name: 'Show all messages' }).click()
    await expect(page.getByRole('searchbox')).toHaveValue('')
    await expect(row(page, 'Ana 2')).toBeVisible()
  })

  test('an admin filters by type, by whether it was read and by the bot check, and Back undoes it', async ({
    page,
    installation,
  }) => {
    await fill(installation, [
      { name: 'Ana', form_type: 'tracking' },
      { name: 'Bea', form_type: 'tracking', is_read: 1 },
      { name: 'Cy', form_type: 'tracking', verification: 'suspect:0.1' },
      { name: 'Di' },
      { name: 'Ed', form_type: 'visa-assessment' },
      { name: 'Flo', form_type: 'auth' },
    ])
    await page.goto('/messages')
    await expectTexts(row(page, 'Ana'), '/messages', 'Tracking Form', 'Unread')
    await expectTexts(row(page, 'Bea'), '/messages', 'Read')
    await expectTexts(row(page, 'Di'), '/messages', 'Contact Form')
    await expectTexts(row(page, 'Ed'), '/messages', 'Visa Assessment')
    await expectTexts(row(page, 'Flo'), '/messages', 'Authentication')
    await page.getByLabel('Type').selectOption('Tracking Form')
    await expect(row(page, 'Di')).toBeHidden()
    await page.getByLabel('Read or unread').selectOption('Unread')
    await expect(row(page, 'Bea')).toBeHidden()
    await page.getByLabel('Bot check').selectOption('Suspect')
    await expect(row(page, 'Ana')).toBeHidden()
    await expect(row(page, 'Cy')).toContainText('Suspect')
    await expect(page).toHaveURL(/formType=tracking&isRead=false&verification=suspect$/)
    await page.goBack()
    await expect(row(page, 'Ana')).toBeVisible()
    await expect(page.getByLabel('Bot check')).toHaveValue('')
  })

  test('an admin deletes from the menu of a row, which lies above the rows below', async ({
    page,
    installation,
  }) => {
    await fill(installation, named('Ana', 5))
    await page.goto('/messages')
    await chooseRowAction(page, 'message from Ana 1', 'Delete message from Ana 1')
    await expect(page.getByRole('alertdialog')).toContainText('Ana 1')
  })

  test('an admin reads message after message by keys, and each is marked as read immediately', async ({
    page,
    installation,
  }) => {
    await fill(installation, named('Ana', 4))
    await page.goto('/messages?isRead=false')
    await expect(page.getByRole('main').getByText('4 unread')).toBeVisible()
    await page.getByRole('link', { name: 'Ana 0' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('link', { name: 'Ana 1' })).toBeFocused()
    await page.keyboard.press('Enter')
    const second = dialogOf(page, 'Ana 1')
    await expectTexts(second, '/messages', 'Message from {name}', 'Received {date and time} via {type}')
    await expect(second).toContainText('Not checked: the bot check was off')
    await expect(page.getByRole('main').getByText('3 unread')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(dialogOf(page, 'Ana 2')).toBeVisible()
    await dialogOf(page, 'Ana 2').getByRole('button', { name: 'Older message' }).click()
    await expect(dialogOf(page, 'Ana 3')).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(dialogOf(page, 'Ana 2')).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(second).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page).toHaveURL(/\/messages\?isRead=false$/)
    await expect(row(page, 'Ana 3')).toContainText('Read')
    await expect(page.getByRole('main').getByText('1 unread')).toBeVisible()
    await page.reload()
    await expect(page.getByText('1 message found', { exact: true })).toBeVisible()
  })

  test('an admin scrolls to a far message, while the page holds only the visible rows', async ({
    page,
    installation,
  }) => {
    const ids = await fill(installation, named('Far', 640))
    await page.goto('/messages')
    await expect(page.getByText('100 messages shown, older ones follow')).toBeVisible()
    const rows = page.locator('tr[aria-rowindex]')
    for (let step = 0; step < 80 && !(await row(page, 'Far 639').isVisible()); step++) {
      await page.mouse.wheel(0, 1200)
      await page.waitForTimeout(50)
      expect(await rows.count()).toBeLessThan(250)
    }
    await expect(page.locator('tr[aria-rowindex="641"]')).toContainText('Far 639')
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '641')
    await expect(page.getByText('640 messages', { exact: true })).toBeVisible()
    await page.goto(`/messages?message=${ids[500]}`)
    await expect(dialogOf(page, 'Far 500')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(dialogOf(page, 'Far 501')).toBeVisible()
    await page.reload()
    await expect(dialogOf(page, 'Far 501')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/\/messages$/)
  })

  test('an admin sees an error when a message cannot be forwarded, deleted, marked or listed', async ({
    page,
    installation,
  }) => {
    await fill(installation, [{ name: 'Ana' }, { name: 'Kiri' }])
    await page.goto('/messages')
    installation.mailServer.behaviour = 'refuse'
    await page.getByRole('link', { name: 'Kiri' }).focus()
    await page.keyboard.press('f')
    await expectTexts(toast(page), '/messages', 'Error Forwarding Message', 'Failed to forward message')
    installation.mailServer.release()

    await withDatabase(installation, db => db.deleteFrom('messages').where('name', '=', 'Kiri').execute())
    await page.getByRole('link', { name: 'Kiri' }).focus()
    await page.keyboard.press('Delete')
    const confirm = page.getByRole('alertdialog')
    await expectTexts(
      confirm,
      '/messages',
      'Are you sure you want to delete this message from {name}? This action cannot be undone.',
    )
    await expect(confirm).toContainText('from Kiri?')
    await confirm.getByRole('button', { name: 'Delete' }).click()
    await expectTexts(toast(page), '/messages', 'Error Deleting Message')
    await expect(page.getByText('This message no longer exists')).toBeVisible()
    await expect(confirm).toBeHidden()
    await expect(row(page, 'Kiri')).toBeHidden()

    await page.route('**/api/messages/*', route =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    )
    await page.getByRole('link', { name: 'Ana' }).press('Delete')
    await confirm.getByRole('button', { name: 'Delete' }).click()
    await expectTexts(toast(page), '/messages', 'Failed to connect to the server. Please try again.')
    await expect(confirm).toBeHidden()

    const silent = { status: 500, json: { success: false } }
    await page.unroute('**/api/messages/*')
    await page.route('**/api/messages/*', route =>
      route.request().method() === 'DELETE' ? route.fulfill(silent) : route.continue(),
    )
    await page.route('**/read', route => route.fulfill(silent))
    await row(page, 'Ana').getByRole('button', { name: 'Delete' }).click()
    await confirm.getByRole('button', { name: 'Delete' }).click()
    await expectTexts(toast(page), '/messages', 'Failed to delete message')
    await page.getByRole('link', { name: 'Ana' }).click()
    await expectTexts(toast(page), '/messages', 'Error', 'Failed to mark message as read')
    await dialogOf(page, 'Ana').locator('.inbox-pane-close').click()
    await expect(row(page, 'Ana')).toContainText('Unread')

    await page.route('**/api/messages?*', route => route.fulfill(silent))
    await page.route('**/api/messages', route => route.fulfill(silent))
    await page.reload()
    await expectTexts(page, '/messages', 'Failed to fetch messages')
  })

  test('an admin sends a failed email again, starting from the count on the dashboard', async ({
    page,
    installation,
  }) => {
    const [id = ''] = await fill(installation, [{ name: 'Ana' }, { name: 'Bea', is_read: 1 }])
    await failEmail(installation, id)
    await page.goto('/dashboard')
    await expect(page.getByRole('img', { name: /^Enquiries by day/ })).toBeVisible()
    await page.getByText('Show as a table').click()
    // Of today, or of yesterday when it is just past midnight.
    const days = page.getByRole('region', { name: 'Enquiries as a table' }).getByRole('row')
    await expect(days.filter({ hasText: /2$/ })).toHaveCount(1)
    await page.getByRole('link', { name: '1 email that could not be sent' }).click()
    await expect(page).toHaveURL(/\/messages\?letter=failed$/)
    await expect(row(page, 'Bea')).toBeHidden()
    await page.getByRole('row').getByRole('link', { name: 'Ana' }).click()
    const dialog = dialogOf(page, 'Ana')
    await expect(dialog).toContainText('554 Mailbox is full')
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('The email to staff has been sent.')).toBeVisible()
    await installation.mailServer.next(({ subject }) => subject === 'Tried again')
    await expect(dialog).toContainText('Emailed to staff')
    await expect(dialog.getByRole('button', { name: 'Retry' })).toBeHidden()
  })
})

const hostile = [
  { name: '<img src=x onerror=alert(1)>', message: '<script>alert(1)</script>', email: 'x@xn--e1awd7f.com' },
  {
    name: '\u202eevil name\u202c',
    message: '\u202ereversed\n\u05e9\u05dc\u05d5\u05dd',
    verification: 'suspect:0.1',
  },
  {
    name: 'W'.repeat(100),
    email: `${'e'.repeat(60)}@${'d'.repeat(60)}.example`,
    message: 'x'.repeat(10_000),
  },
  {
    name: '李伟',
    message: '移民'.repeat(2000),
    verification: 'unverified:provider_down',
    is_read: 1 as const,
  },
]

for (const { device, viewport } of devices) {
  test(`the inbox and the dashboard on a ${device} have nothing that axe complains of`, async ({
    browser,
    installation,
  }) => {
    // Axe looks at twelve states of it.
    test.slow()
    const context = await browser.newContext({
      viewport,
      baseURL: installation.url,
    })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    await signIn(page, installation)
    await fill(installation, [])
    await page.goto('/messages')
    await expect(page.getByText('No messages found')).toBeVisible()
    await expectNoComplaints(page)
    const ids = await fill(installation, [...hostile, ...named('Ana', 8)])
    await failEmail(installation, ids[2] ?? '')
    for (const address of [
      '/dashboard',
      '/messages',
      '/messages?letter=failed',
      ...ids.slice(0, 4).map(id => `/messages?message=${id}`),
    ]) {
      await page.goto(address)
      await expect(page.locator('.skeleton')).toHaveCount(0, { timeout: 15_000 })
      await expect(page.locator('.panel, .inbox, .dialog').first()).toBeVisible()
      await expectNoComplaints(page)
    }
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectNoComplaints(page)
    expect(complaints).toEqual([])
    await context.close()
  })
}
