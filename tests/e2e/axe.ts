import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export const devices = [
  { device: 'desk', viewport: { width: 1440, height: 900 } },
  { device: 'phone', viewport: { width: 360, height: 740 } },
] as const

/** Axe finds nothing on the page as it is, by day and by night, and nothing is wider than the screen. */
export async function expectNoComplaints(page: Page, { without }: { without?: string } = {}) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const builder = new AxeBuilder({ page })
    const { violations, passes } = await (without ? builder.exclude(without) : builder).analyze()
    expect(passes.length).toBeGreaterThan(10)
    expect(violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}
