import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import type Axe from 'axe-core'

/** A page in a frame has landmarks of its own, and is tested where visitors see it. */
const PREVIEW = '.content-editor-frame'

/** What the colours decide. Everything else that axe looks at is the same by night. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** Axe finds nothing on the page as it is, by day and by night, and nothing is wider than the screen. */
export async function expectAccessible(page: Page, { without = PREVIEW } = {}) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const { passed, violations } = await runAxe(page, without)
  expect(passed).toBeGreaterThan(10)
  expect(violations).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect((await runAxe(page, without, { runOnly: COLOUR_RULES })).violations).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

/** Once into each page, and into no frame: those of the product are left out, and others are another site's. */
export async function loadAxe(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
}

/** @returns how many rules passed, and what is wrong with the page, in words */
export async function runAxe(page: Page, without = PREVIEW, options: Axe.RunOptions = {}) {
  await loadAxe(page)
  return await page.evaluate(
    async ({ without, options }) => {
      const { axe } = window as object as { axe: typeof Axe }
      const { passes, violations } = await axe.run({ exclude: [without] }, options)
      return {
        passed: passes.length,
        violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
      }
    },
    {
      without,
      options: { resultTypes: ['violations'], iframes: false, ...options } satisfies Axe.RunOptions,
    },
  )
}
