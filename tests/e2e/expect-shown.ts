import { expect, type Page } from '@playwright/test'

/** Whether the browser shows pixels of a picture, and of which file. */
export async function expectShown(page: Page, selector: string, source: RegExp) {
  const image = page.locator(selector).first()
  await expect(image).toHaveJSProperty('complete', true)
  await expect.poll(() => image.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0)
  expect(await image.evaluate((it: HTMLImageElement) => new URL(it.currentSrc).pathname)).toMatch(source)
}
