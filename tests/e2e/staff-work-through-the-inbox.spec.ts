import { expect, type Page } from '@playwright/test'
import { REACTION_TIME } from '../../src/features/inbox/toolbar/next-enquiry.ts'
import { expectTexts, toast } from './expect-texts.ts'
import { failEmail, fill, named } from './inbox.ts'
import { type Installation, signIn, test } from './installation.ts'
import { addStaff, withDatabase } from './staff.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dialogOf = (page: Page, name: string) =>
  page.getByRole('dialog', { name: `Message from ${name}`, exact: true })

/** A reply to one message, and a note about another. */
async function addConversation(installation: Installation, replied = '', noted = '') {
  const made = { author_id: null, created_at: new Date().toISOString() }
  await withDatabase(installation, async db => {
    const body = 'The Cassowary visa needs a sponsor'
    await db
      .insertInto('entries')
      .values({ ...made, id: `${replied}-reply`, message_id: replied, seq: 1, kind: 'reply', body })
      .execute()
    await db
      .insertInto('notes')
      .values({ ...made, id: `${noted}-note`, message_id: noted, body: 'She likes quokkas' })
      .execute()
  })
}

test.describe('Inbox', () => {
  test.beforeEach(({ page, installation }) => signIn(page, installation))

  test('an admin finds a message by its words, a reply, a note or its phone, sees why, and by type, read and bot check, and the URL and Back keep the search (found I2)', async ({
    page,
    installation,
  }) => {
    const ids = await fill(installation, [
      { name: 'Ana 0', phone: '(02) 9876 5432' },
      ...named('Ana', 3).slice(1),
      { name: 'Kiri', message: 'Is there a kookaburra visa?', form_type: 'tracking' },
    ])
    await addConversation(installation, ids[1], ids[2])
    await page.goto('/messages')
    const columns = ['Date', 'Name', 'Email', 'Type', 'Status', 'Actions']
    await expect(page.getByRole('columnheader')).toHaveText(columns)
    const head = page.locator('thead')
    await expectTexts(head, '/messages', 'Date', 'Name', 'Email', 'Type', 'Status', 'Actions')
    await expectTexts(row(page, 'Kiri'), '/messages', '{date and time}')
    await expect(page.getByText('4 enquiries', { exact: true })).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('KOOKABURRA')
    await expect(page.getByText('1 enquiry found', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\?q=KOOKABURRA$/)
    await page.reload()
    await expect(page.getByRole('searchbox')).toHaveValue('KOOKABURRA')
    await expect(row(page, 'Kiri')).toContainText('Tracking Form')
    await page.getByRole('searchbox').press('Escape')
    await expect(row(page, 'Ana 2')).toBeVisible()
    await expect(page).toHaveURL(/\/messages$/)
    const reasons = [
      ['CASSOW', 'Ana 1', 'Cassow', 'ReplyThe Cassowary visa needs a sponsor'],
      ['"likes quokkas"', 'Ana 2', 'likes quokkas', 'NoteShe likes quokkas'],
      ['+61298765432', 'Ana 0', '02) 9876 5432', 'Phone(02) 9876 5432'],
    ] as const
    for (const [q, name, marked, excerpt] of reasons) {
      await page.getByRole('searchbox').fill(q)
      await expect(page.getByText('1 enquiry found', { exact: true })).toBeVisible()
      await expect(row(page, name).locator('mark')).toHaveText(marked)
      await expect(row(page, name).locator('.inbox-excerpt')).toHaveText(excerpt)
    }
    await page.getByRole('searchbox').fill('wombat')
    await expectTexts(page, '/messages', 'No messages found')
    await expect(page.getByText(/^Searched: names, .*, tags, replies, calls and notes\./)).toBeVisible()
    await page.getByRole('button', { name: 'Show all enquiries' }).click()
    await expect(page.getByRole('searchbox')).toHaveValue('')
    await expect(row(page, 'Ana 2')).toBeVisible()

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
    await dialogOf(page, 'Ana 2').getByRole('button', { name: 'Older enquiry' }).click()
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
    await expect(page.getByText('1 enquiry found', { exact: true })).toBeVisible()
  })

  test('an agent works by keys alone: the next enquiry opens when one is closed, Z takes the last step back, and typing finds a colleague (found I4) (found I5)', async ({
    page,
    installation,
  }) => {
    await addStaff(installation, 'Ravi Ahmed', { role: 'editor', inbox: 'answer' })
    await fill(installation, named('Ana', 3))
    await page.goto('/messages')
    await expect(page.getByRole('link', { name: 'Ana 0' })).toBeVisible()
    await page.keyboard.press('j')
    await expect(page.getByRole('link', { name: 'Ana 0' })).toBeFocused()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    const [first, second, third] = [dialogOf(page, 'Ana 0'), dialogOf(page, 'Ana 1'), dialogOf(page, 'Ana 2')]
    await expect(first.getByRole('button', { name: 'Close enquiry' }).first()).toBeVisible()
    await page.keyboard.press('e')
    await expect(second).toBeVisible()
    await expect(toast(page)).toContainText('Enquiry closed')
    await page.keyboard.press('z')
    await expect(first).toBeVisible()
    await expect(first.getByRole('button', { name: 'Close enquiry' }).first()).toBeVisible()
    await page.keyboard.press('j')
    await expect(second.getByRole('button', { name: 'Close enquiry' }).first()).toBeVisible()
    // Right after an enquiry has opened by itself, a press is taken to be meant for the one before.
    await page.waitForTimeout(REACTION_TIME)
    await page.keyboard.press('!')
    await expect(third).toBeVisible()
    await expect(toast(page)).toContainText('Marked as spam')
    await expect(third.getByRole('button', { name: 'Close enquiry' }).first()).toBeVisible()
    await page.keyboard.press('a')
    await expect(third.getByRole('textbox', { name: 'Assign to' })).toBeFocused()
    await page.keyboard.type('rav')
    await page.keyboard.press('Enter')
    await expect(toast(page)).toContainText('Assigned to Ravi Ahmed')
    await expect(third.locator('.inbox-details')).toContainText('Ravi Ahmed')
    await page.keyboard.press('z')
    await expect(third.locator('.inbox-details')).toContainText('Unassigned')
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
