import { expect } from '@playwright/test'
import { expectTexts } from './expect-texts.ts'
import { openForwardMenu } from './inbox.ts'
import { ADMIN_EMAIL, type Installation, signInByHand, test } from './installation.ts'
import { addStaff } from './staff.ts'

/** Another one than all tests share, because an account has few codes an hour. */
const addAdmin = async (installation: Installation) =>
  await addStaff(installation, 'Ada Admin', { role: 'admin' })

async function sendEnquiry({ url }: Installation, name: string) {
  const response = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name,
      email: 'visitor@example.com',
      phone: '+61 400 000 000',
      message: 'A question about partner visas.',
    }),
  })
  expect(response.status).toBe(201)
}

test('an admin signs in, reads an enquiry, forwards it, deletes it and signs out', async ({
  page,
  installation,
}) => {
  await sendEnquiry(installation, 'Ana Story')
  await installation.mailServer.next(({ subject }) => subject?.includes('Ana Story') ?? false)
  await signInByHand(page, installation, await addAdmin(installation))
  await expect(page.getByText('Welcome back, Ada Admin!')).toBeVisible()

  await page.goto('/messages')
  const row = page.getByRole('row').filter({ hasText: 'Ana Story' })
  await expect(row).toContainText('Unread')
  await expect(row).toHaveCSS('font-weight', '700')

  await row.getByRole('link', { name: 'Ana Story' }).click()
  const dialog = page.getByRole('dialog', { name: 'Message from Ana Story' })
  await expect(dialog).toContainText('via Contact Form')
  await expect(dialog).toContainText('A question about partner visas.')
  await (await openForwardMenu(dialog)).click()
  await expectTexts(
    page,
    '/messages',
    'Message Forwarded',
    'The message has been successfully sent to the configured email address.',
  )
  const forwarded = await installation.mailServer.next(({ subject }) => subject?.startsWith('Fwd:') ?? false)
  expect(forwarded.recipients).toEqual([ADMIN_EMAIL])
  expect(forwarded.replyTo?.[0]).toEqual({ name: 'Ana Story', address: 'visitor@example.com' })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(row.getByText('Read', { exact: true })).toBeVisible()
  await expect(row).toHaveCSS('font-weight', '400')

  // The mouse would be too quick: just after the rows have moved, a click is taken for one on what was there before.
  await row.getByRole('button', { name: 'Delete' }).press('Enter')
  const question =
    'Are you sure you want to delete this message from Ana Story? This action cannot be undone.'
  await expect(page.getByRole('alertdialog')).toContainText(question)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectTexts(page, '/messages', 'Message Deleted', 'The message has been deleted successfully.')
  await expect(row).toBeHidden()

  await page.getByRole('banner').getByText('Ada Admin').click()
  await expectTexts(page.getByRole('banner'), 'the header', 'Logout')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByText('You have been logged out.')).toBeVisible()
  await expectTexts(page.getByRole('banner'), 'the header', 'Login')
})
