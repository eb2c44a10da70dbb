import { expect, type Page } from '@playwright/test'
import { signIn, testApart } from './installation.ts'
import { specifiedPages } from './specification.ts'

const test = testApart()

/** What can be pressed or filled in, as far as it would be printed. */
const controls = (page: Page) =>
  page
    .locator('button, summary:not(.api-tokens-call *), input, select, textarea, nav, .button')
    .filter({ visible: true })

for (const address of [...specifiedPages, '/contact/received?reference=LF-7K3M-92QD', '/no-such-page'])
  test(`${address} is printed without controls, and with all that is folded`, async ({ page }) => {
    await page.goto(address)
    await expect(page.locator('[data-island]:not([data-live])')).toHaveCount(0)
    await page.emulateMedia({ media: 'print' })
    await expect(controls(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toContainText('MARN')
    await expectUnfolded(page)
    for (const slide of await page.locator('.site-slide-text p').all()) await expect(slide).toBeVisible()
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000)
  })

test('the pages of the sign-in are printed with what they say and who the agency is', async ({ page }) => {
  await page.goto('/verify-email?token=x')
  await expect(page.getByText('Invalid verification token')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(controls(page)).toHaveCount(0)
  await expect(page.getByText('Invalid verification token')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('MARN')
  await page.goto('/auth')
  await expect(page.getByRole('contentinfo')).toContainText('MARN')
  await expect(controls(page)).toHaveCount(0)
})

test('staff print a message or a log entry alone, whole and in black on white', async ({
  page,
  installation,
}) => {
  installation.run('seed', ['--messages', '40', '--logs', '40', '--yes'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn(page, installation)
  for (const [address, open, shown] of [
    ['/messages', '.table .inbox-name a', '.inbox-text'],
    ['/logs', '.table-actions button', 'dt'],
  ] as const) {
    await page.emulateMedia({ media: 'screen' })
    await page.goto(address)
    await page.locator(open).first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.locator(shown).first()).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(controls(page)).toHaveCount(0)
    await expect(dialog.locator('dt').first()).toBeVisible()
    await expect(page.locator('.table')).toBeHidden()
    expect(await dialog.evaluate(it => it.scrollHeight - it.clientHeight)).toBeLessThanOrEqual(1)
    await expect(dialog).toHaveCSS('background-color', 'rgb(255, 255, 255)')
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(1)
  }
})

test('a long message is printed over as many pages as it needs', async ({ page, installation }) => {
  installation.run('seed', ['--messages', '1', '--yes'])
  await signIn(page, installation)
  await page.goto('/messages')
  await page.locator('.table .inbox-name a').first().click()
  await page.locator('.inbox-text').evaluate(it => {
    it.textContent = 'A line of a long message.\n'.repeat(200)
  })
  expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(3)
})

test('staff print every screen without controls', async ({ page, installation }) => {
  installation.run('seed', ['--messages', '3', '--logs', '3', '--yes'])
  await signIn(page, installation)
  for (const [address, loaded] of Object.entries({
    '/dashboard': '.dashboard-profile-name',
    '/users': '.users tbody tr',
    '/messages': '.inbox .inbox-name a',
    '/logs': '.logs-table tbody tr',
    '/api-tokens?tab=documentation': '.api-tokens-call',
  })) {
    await page.emulateMedia({ media: 'screen' })
    await page.goto(address)
    await expect(page.locator(loaded).first()).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await page.emulateMedia({ media: 'print' })
    await expect(controls(page)).toHaveCount(0)
    await expectUnfolded(page)
  }
})

async function expectUnfolded(page: Page) {
  for (const folded of await page.locator('main details > :last-child:not(summary)').all())
    await expect(folded).toBeVisible()
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
