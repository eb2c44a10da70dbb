import type { Locator, Page } from '@playwright/test'

/** More stops than any page has before what a test looks for. */
const MAX_PRESSES = 80

/** Presses Tab until this has the focus. */
export async function tabTo(page: Page, wanted: Locator) {
  for (let presses = 0; presses <= MAX_PRESSES; presses++) {
    if (await wanted.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${wanted}`)
}
