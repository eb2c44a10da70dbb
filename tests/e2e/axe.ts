import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export const devices = [
  { device: 'desk', viewport: { width: 1440, height: 900 } },
  { device: 'phone', viewport: { width: 360, height: 740 } },
] as const

/** A page in a frame has landmarks of its own, and is tested where visitors see it. */
const PREVIEW = '.content-editor-frame'

/** Axe finds nothing on the page as it is, by day and by night, and nothing is wider than the screen. */
export async function expectNoComplaints(page: Page, { without = PREVIEW } = {}) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations, passes } = await new AxeBuilder({ page }).exclude(without).analyze()
    expect(passes.length).toBeGreaterThan(10)
    expect(violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}
