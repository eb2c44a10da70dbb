import { expect, type Page } from '@playwright/test'
import { test } from '../e2e/installation.ts'

/** One page of each kind, as a new installation has them. */
const addresses = [
  '/',
  '/about-us',
  '/contact',
  '/visas',
  '/visas/skills-in-demand-482',
  '/news',
  '/news/skills-in-demand-pay',
  '/fees',
  '/no-such-page',
]

/** Pixels on a desktop. A taller stretch of one colour looks as if something were missing. */
const TALLEST_GAP = 112

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 360, height: 740 }

test.use({ viewport: DESKTOP, reducedMotion: 'reduce' })

test('no kind of public page has a tall gap on a desktop', async ({ page }) => {
  const faults: string[] = []
  for (const address of addresses) {
    await page.goto(address)
    await page.evaluate(() => document.fonts.ready)
    faults.push(...(await findGaps(page)).map(gap => `${address}: nothing on ${gap}`))
  }
  expect(faults).toEqual([])
})

test('the home page is at most 7,000 pixels long on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(7000)
})

test('a name of one long word makes no page wider than a phone', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/')
  await page.locator('.logo').evaluate(it => {
    it.lastChild?.replaceWith('Featherstonehaugh'.repeat(4))
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
})

test('a gap between two parts of a page is noticed', async ({ page }) => {
  await page.goto('/fees')
  await page.locator('.site-ask').evaluate(it => {
    it.style.marginTop = '120px'
  })
  expect(await findGaps(page)).toHaveLength(1)
})

/** Stretches of the page in one colour from edge to edge. The end of the page is none. */
async function findGaps(page: Page): Promise<string[]> {
  // Playwright's own screenshot takes three times as long for a page of several screens.
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', {
    optimizeForSpeed: true,
    captureBeyondViewport: true,
  })
  await browser.detach()
  return await page.evaluate(findStretches, { picture: data, tallest: TALLEST_GAP })
}

/** Runs in the page, which can decode a picture. */
async function findStretches({ picture, tallest }: { picture: string; tallest: number }): Promise<string[]> {
  const bytes = Uint8Array.from(atob(picture), character => character.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes]))
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  context?.drawImage(bitmap, 0, 0)
  const pixels = new Uint32Array(context?.getImageData(0, 0, width, height).data.buffer ?? [])
  const groundOf = (y: number) => {
    const row = pixels.subarray(y * width, (y + 1) * width)
    return row.every(pixel => pixel === row[0]) ? row[0] : undefined
  }
  const stretches: string[] = []
  let start = 0
  let ground: number | undefined
  for (let y = 0; y < height; y++) {
    const next = groundOf(y)
    if (next !== undefined && next === ground) continue
    if (ground !== undefined && y - start > tallest) stretches.push(`${y - start} px from ${start} to ${y}`)
    start = y
    ground = next
  }
  return stretches
}
