import { expect } from '@playwright/test'
import { test } from '../e2e/installation.ts'

test.describe('far away', () => {
  test.use({ timezoneId: 'Asia/Kathmandu' })

  test('a visitor sees what time it is at the office, also in a page that is being translated (found V9)', async ({
    page,
  }) => {
    await page.clock.install({ time: '2026-12-01T00:14:59Z' })
    // The page is translated before the time is shown.
    await page.clock.pauseAt('2026-12-01T00:15:00Z')
    await page.goto('/')
    await expect(page.locator('.site-trust').getByText('Sydney time')).toBeVisible()
    await page.evaluate(() => {
      document.documentElement.lang = 'fa'
      document.documentElement.dir = 'rtl'
    })
    await page.clock.runFor(10_000)
    // Each apart from the direction of the page, in which the digits would come last.
    const texts = page.locator('.site-trust bdi')
    await expect(texts).toHaveText(['11:15 am in Sydney', '5¼ hours ahead of you'])
    await expect(texts.first()).toBeVisible()
    await expect(texts.first()).toHaveCSS('direction', 'ltr')
  })
})
