import { expect, type Page } from '@playwright/test'
import { fill, named } from './inbox.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { withDatabase } from './staff.ts'

const test = testApart()

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const rail = (page: Page) => page.getByRole('navigation', { name: 'Screens' })

async function change(installation: Installation, id: string | undefined, values: object) {
  await withDatabase(installation, db =>
    db
      .updateTable('messages')
      .set(values)
      .where('id', '=', id ?? '')
      .execute(),
  )
}

test.use({ viewport: { width: 1280, height: 800 } })

test('the views in the rail show their messages, how many there are, and why there are none', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  const [late, , waiting] = await fill(installation, named('Ana', 4))
  await change(installation, late, { due_at: new Date(Date.now() - 5.5 * 3600 * 1000).toISOString() })
  await change(installation, waiting, { status: 'waiting' })
  await page.goto('/messages')
  await expect(page.getByRole('main').getByText('3 open, 4 unread')).toBeVisible()
  await expect(row(page, 'Ana 0')).toContainText('Overdue 5 h')
  await rail(page).getByRole('link', { name: 'Overdue 1' }).click()
  await expect(page).toHaveURL(/\/messages\?overdue=true$/)
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(rail(page).getByRole('link', { name: 'Overdue 1' })).toHaveAttribute('aria-current', 'true')
  await rail(page).getByRole('link', { name: 'Waiting 1' }).click()
  await expect(page).toHaveURL(/status=waiting&order=activity$/)
  await expect(row(page, 'Ana 2')).toBeVisible()
  await rail(page).getByRole('link', { name: 'Mine' }).click()
  await expect(page.getByText('No open enquiry is assigned to you.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all enquiries' }).click()
  await expect(row(page, 'Ana 3')).toBeVisible()
})
