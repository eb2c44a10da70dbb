import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export const devices = [
  { device: 'desk', viewport: { width: 1440, height: 900 } },
  { device: 'phone', viewport: { width: 360, height: 740 } },
] as const

/** A page in a frame has landmarks of its own, and is tested where visitors see it. */
const PREVIEW = '.content-editor-frame'

/** What the colours decide. Everything else that axe looks at is the same by night. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

const describe = (violations: readonly Violation[]) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))

/** Axe finds nothing on the page as it is, by day and by night, and nothing is wider than the screen. */
export async function expectNoComplaints(page: Page, { without = PREVIEW } = {}) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectNoViolations(page, without)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(describe(await findColourViolations(page, without))).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

/** Axe, with all its rules, finds nothing on the page as it is. */
export async function expectNoViolations(page: Page, without = PREVIEW) {
  const builder = new AxeBuilder({ page }).exclude(without).options({ resultTypes: ['violations'] })
  // Otherwise each run opens an empty page, loads axe there too and puts the results of all frames together. No frame here is
  // another site's, save those that are left out.
  const { violations, passes } = await builder.setLegacyMode().analyze()
  expect(passes.length).toBeGreaterThan(10)
  expect(describe(violations)).toEqual([])
}

/** With the axe that `expectNoViolations` has loaded into the page. */
async function findColourViolations(page: Page, without: string): Promise<readonly Violation[]> {
  return await page.evaluate(
    async ({ without, rules }) => {
      const { axe } = window as object as {
        axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> }
      }
      const options = { runOnly: rules, resultTypes: ['violations'] }
      const { violations } = await axe.run({ exclude: [without] }, options)
      return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))
    },
    { without, rules: COLOUR_RULES },
  )
}
