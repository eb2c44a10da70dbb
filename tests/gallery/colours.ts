import type { Page } from '@playwright/test'
import type Axe from 'axe-core'
import { COLOUR_RULES, loadAxe } from '../e2e/axe.ts'

/** The kinds of texts that axe has passed, by day and by night. */
export const noTextsPassed = () => ({ light: new Set<string>(), dark: new Set<string>() })

/**
 * Axe looks at the colours of all texts of a page except those of a kind that it has passed: to look at a text takes longer than
 * all its other rules, and most texts of a screen are the same in each of its states. @returns what is wrong, in words
 */
export async function findColourFaults(page: Page, passed: Set<string>, without?: string): Promise<string[]> {
  await loadAxe(page)
  const { kinds, faults } = await page.evaluate(lookAtTexts, {
    passed: [...passed],
    without: without ?? null,
    rules: COLOUR_RULES,
  })
  for (const kind of kinds) passed.add(kind)
  return faults
}

interface Texts {
  readonly passed: readonly string[]
  readonly without: string | null
  readonly rules: string[]
}

/**
 * Runs in the page. Texts of a kind have the same element and class, colours, size, and backgrounds behind them. Left out is what
 * axe comes to no verdict on, because it would be given to axe again in each state: what nobody sees, what is under something
 * else at the moment, what cannot be pressed, signs that are no words, and lists, whose arrow is a picture.
 */
async function lookAtTexts({ passed, without, rules }: Texts) {
  const { axe } = window as object as { axe: typeof Axe }
  const backgrounds = new Map<Element | null, string>([[null, '']])
  function backgroundOf(element: Element | null): string {
    const known = backgrounds.get(element)
    if (!element || known !== undefined) return known ?? ''
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element)
    const own = [backgroundColor, backgroundImage, opacity, position].join()
    const outer = backgroundOf(element.parentElement)
    const background = own === 'rgba(0, 0, 0, 0),none,1,static' ? outer : `${outer}/${own}`
    backgrounds.set(element, background)
    return background
  }
  function kindOf(element: Element): string {
    const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element)
    const around = getComputedStyle(element.parentElement ?? element).color
    const own = [element.localName, element.className, color, fontSize, fontWeight, textDecorationLine]
    return [...own, around, backgroundOf(element)].join()
  }
  const isText = (element: Element) =>
    element.matches('input:not([type="checkbox"], [type="radio"]), textarea') ||
    [...element.childNodes].some(node => node instanceof Text && /[\p{L}\p{N}]/u.test(node.data))
  const outOfSight = new Map<Element | null, boolean>([[null, false]])
  function isOutOfSight(element: Element | null): boolean {
    const known = outOfSight.get(element)
    if (!element || known !== undefined) return known ?? false
    const isAway =
      element.matches('.skip-link:not(:focus), :disabled, [aria-disabled="true"]') ||
      getComputedStyle(element).clipPath === 'inset(50%)' ||
      isOutOfSight(element.parentElement)
    outOfSight.set(element, isAway)
    return isAway
  }
  function isCovered(element: Element) {
    const { left, top, width, height } = element.getBoundingClientRect()
    const above = document.elementFromPoint(left + width / 2, top + height / 2)
    return above !== null && !above.contains(element) && !element.contains(above)
  }
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !isOutOfSight(element) &&
    !isCovered(element)
  const kinds = new Map<Element, string>()
  const isPassed = new Set(passed)
  for (const element of document.querySelectorAll('body, body *:not(select, option, optgroup)')) {
    if (!isText(element)) continue
    const kind = kindOf(element)
    // Whether it is shown is asked last: it takes longer than all before, and most kinds have been passed.
    if (!isPassed.has(kind) && isShown(element) && !(without && element.closest(without)))
      kinds.set(element, kind)
  }
  if (kinds.size === 0) return { kinds: [], faults: [] }
  const { passes, violations } = await axe.run([...kinds.keys()], {
    runOnly: rules,
    iframes: false,
    elementRef: true,
    resultTypes: ['passes', 'violations'],
  })
  const contrast = passes.find(({ id }) => id === 'color-contrast')
  const right = contrast?.nodes.flatMap(({ element }) => kinds.get(element as Element) ?? []) ?? []
  const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  return { kinds: right, faults }
}
