import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export const devices = [
  { device: 'desk', viewport: { width: 1440, height: 900 } },
  { device: 'phone', viewport: { width: 360, height: 740 } },
] as const

/** What changes when the colours do. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/** Axe finds nothing on the page as it is, by day and by night, and nothing is wider than the screen. */
export async function expectNoComplaints(page: Page, { without }: { without?: string } = {}) {
  const builder = () => (without ? new AxeBuilder({ page }).exclude(without) : new AxeBuilder({ page }))
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const day = await builder().analyze()
  expect(day.passes.length).toBeGreaterThan(10)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const night = await builder().withRules(RULES_OF_COLOUR).analyze()
  expect(night.passes.length).toBeGreaterThan(0)
  const complaints = [...day.violations, ...night.violations].flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.html}`),
  )
  expect(complaints).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}
