import { expect, type Page } from '@playwright/test'
import { signIn, testApart } from '../e2e/installation.ts'
import { specifiedPages } from '../e2e/specification.ts'

const test = testApart()

/** What can be pressed or filled in, as far as it would be printed. */
const controls = (page: Page) =>
  page
    .locator('button, summary:not(.api-tokens-call *), input, select, textarea, nav, .button')
    .filter({ visible: true })

/** What 12 mm at each edge leave of A4, in CSS pixels. */
const A4_WIDTH = 703

/** One page of every kind. */
const kinds = [
  '/',
  '/about-us',
  '/contact',
  '/contact/received?reference=LF-7K3M-92QD',
  '/visas',
  '/visas/skills-in-demand-482',
  '/news',
  '/news/english-test-dates',
  '/fees',
  '/faq',
  '/how-it-works',
  '/no-such-page',
]

test('a visitor prints a page of any kind on at most three sheets, with no word broken or pale (found V3)', async ({
  page,
}) => {
  for (const address of kinds) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ media: null })
    await page.goto(address)
    expect(pagesOf(await page.pdf({ format: 'A4' })), address).toBeLessThanOrEqual(3)
    await page.setViewportSize({ width: A4_WIDTH, height: 1000 })
    await page.emulateMedia({ media: 'print' })
    expect(await findFaults(page), address).toEqual([])
  }
})

/** Words that take more than one line, and words that are hardly seen on white. */
async function findFaults(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const faults: string[] = []
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const { parentElement, textContent } = text
      // For screen readers.
      if (parentElement?.closest('.visually-hidden')) continue
      const [red = 0, green = 0, blue = 0] =
        (parentElement ? getComputedStyle(parentElement).color : '').match(/[\d.]+/g)?.map(Number) ?? []
      for (const { index, 0: word } of (textContent ?? '').matchAll(/\p{L}+/gu)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = range.getClientRects().length
        if (lines > 1) faults.push(`${word} is broken into ${lines}`)
        if (lines > 0 && Math.max(red, green, blue) > 150) faults.push(`${word} is pale`)
      }
    }
    return faults
  })
}

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
