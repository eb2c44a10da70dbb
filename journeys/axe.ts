import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** On a desk and on a phone, by day and by night. */
export const looks = [
  { device: 'desk', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { device: 'desk', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { device: 'phone', viewport: { width: 360, height: 740 }, colorScheme: 'light' },
  { device: 'phone', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const

/** What axe complains of on the page as it is, and whether it is wider than the screen. */
export async function expectNoComplaints(page: Page, { without }: { without?: string } = {}) {
  const builder = new AxeBuilder({ page })
  const { violations, passes } = await (without ? builder.exclude(without) : builder).analyze()
  expect(passes.length).toBeGreaterThan(10)
  expect(violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}
