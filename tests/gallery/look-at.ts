import { expect, type Page } from '@playwright/test'
import { COLOUR_RULES, runAxe } from '../e2e/axe.ts'
import { findColourFaults, noTextsPassed } from './colours.ts'
import { findFaults } from './large-text.ts'
import { HEIGHT } from './open-state.ts'
import { NARROW, type State } from './state.ts'

/** Pixels. */
const MIDDLE = 768
/** A desktop of 1280 at four times the size: https://www.w3.org/TR/WCAG22/#reflow */
const NARROWEST = 320
/** A usual phone, whose owner has set text to twice its size. */
const LARGE_TEXT = 390
/** Milliseconds in which a screen has to have changed its layout with the width of its window. */
const LAYOUT_TIMEOUT = 5_000

const ALL_BUT_COLOURS = { rules: Object.fromEntries(COLOUR_RULES.map(rule => [rule, { enabled: false }])) }

/**
 * Looks at an open page as it is: axe with all its rules, those of colours by day and by night; then whether it has room in
 * its window and in narrower ones, and with text of twice the size.
 * @param texts those of other states of the screen @returns what is wrong with it, in words
 */
export async function lookAt(
  page: Page,
  { without, largeWidth = LARGE_TEXT }: State,
  texts = noTextsPassed(),
): Promise<string[]> {
  const { passed, violations } = await runAxe(page, without, ALL_BUT_COLOURS)
  const byDay = await findColourFaults(page, texts.light, without)
  await page.emulateMedia({ colorScheme: 'dark' })
  const byNight = await findColourFaults(page, texts.dark, without)
  const sideways = []
  const opened = page.viewportSize()?.width ?? NARROW
  for (const width of [opened, MIDDLE, NARROW, NARROWEST])
    sideways.push(...(await look(page, width, findSideways)))
  if (largeWidth !== null) await enlargeText(page)
  const inLargeText = largeWidth === null ? [] : await look(page, largeWidth, findFaults)
  return [
    ...(passed > 10 ? [] : [`axe looked at nothing: ${passed} rules passed`]),
    ...violations,
    ...byDay,
    ...byNight.map(fault => `by night, ${fault}`),
    ...sideways,
    ...inLargeText.map(fault => `in large text, ${fault}`),
  ]
}

/** Text of twice the size, as the browser's own setting gives. */
export async function enlargeText(page: Page) {
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
}

/** Once more while something moves in. */
async function look(page: Page, width: number, find: () => string[]): Promise<string[]> {
  await page.setViewportSize({ width, height: HEIGHT })
  let faults: string[] = []
  const isRight = async () => {
    faults = await page.evaluate(find)
    return faults.length === 0
  }
  await expect
    .poll(isRight, { timeout: LAYOUT_TIMEOUT, intervals: [50, 100, 250, 500] })
    .toBe(true)
    .catch(() => {})
  return faults
}

/** Runs in the page, which must not be wider than its window, and neither must a dialog. */
function findSideways(): string[] {
  const boxes = [document.documentElement, ...document.querySelectorAll('dialog[open]')]
  return boxes
    .filter(it => it.scrollWidth > it.clientWidth)
    .map(it => `${it.localName} is ${it.scrollWidth} px wide in a window of ${innerWidth} px`)
}
