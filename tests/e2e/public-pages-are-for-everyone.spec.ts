import { expect, type Page } from '@playwright/test'
import { expectNoViolations } from './axe.ts'
import { test } from './installation.ts'
import { specifiedPages } from './specification.ts'

const addresses = [
  ...specifiedPages,
  '/contact?form=tracking',
  '/contact/received?reference=LF-7K3M-92QD',
  '/no-such-page',
]
const widths = { desk: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } }

for (const [device, viewport] of Object.entries(widths)) {
  test.describe(`on a ${device}`, () => {
    test.use({ viewport, reducedMotion: 'reduce' })

    for (const address of addresses) {
      test(`${address} has nothing that axe, the security policy or the console complains of, and no code of the portal`, async ({
        page,
      }) => {
        const complaints = await listen(page)
        const scripts = recordScripts(page)
        await page.goto(address)
        await hasCalmedDown(page)
        await expectNoViolations(page)
        expect(complaints).toEqual([])
        expect(scripts.length).toBeGreaterThan(0)
        expect(scripts.filter(path => /portal|sign-in|screen|staff/.test(path))).toEqual([])
      })
    }

    test('the form with its mistakes and the open menu have nothing that axe complains of', async ({
      page,
    }) => {
      await page.goto('/contact')
      await hasCalmedDown(page)
      await page.getByRole('button', { name: 'Send enquiry' }).click()
      await expect(page.locator('.field-error').first()).toBeVisible()
      if (device === 'phone') await page.getByText('Menu', { exact: true }).click({ force: true })
      await expectNoViolations(page)
    })
  })
}

test('what a page must not load is refused, and these tests notice', async ({ page }) => {
  const complaints = await listen(page)
  await page.goto('/')
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "taken over"'
    document.head.append(script)
  })
  await expect(() => expect(complaints.join()).toContain('refused by script-src-elem: inline')).toPass()
  expect(await page.title()).not.toBe('taken over')
})

/** The paths of the scripts that the page loads. */
function recordScripts(page: Page): string[] {
  const paths: string[] = []
  page.on('request', request => {
    if (request.resourceType() === 'script') paths.push(new URL(request.url()).pathname)
  })
  return paths
}

/** Collects what the browser writes on its console and what its security policy refuses, from the first byte on. */
async function listen(page: Page): Promise<string[]> {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    // The browser notes the status of the 404 page, which is meant.
    const isMeant =
      message.text().includes('status of 404') && message.location().url.endsWith('/no-such-page')
    if (['error', 'warning'].includes(message.type()) && !isMeant) complaints.push(message.text())
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event =>
      console.error(`refused by ${event.violatedDirective}: ${event.blockedURI}`),
    )
  })
  return complaints
}

/** Everything has loaded, and what comes alive is alive. */
async function hasCalmedDown(page: Page) {
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[data-island]:not([data-live])')).toHaveCount(0)
}
