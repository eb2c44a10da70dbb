import { readFileSync } from 'node:fs'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'

/** What a picture of a screen shows. */
export interface Part {
  /** Only this part of the screen. */
  readonly around?: Locator
  /** Whether nothing beside it is shown, such as what is behind a dialog. */
  readonly isAlone?: boolean
  /** Pixels of the window. */
  readonly width?: number
  readonly height?: number
}

/** Pixels of the window unless something else is said, and of the widest picture. */
const WIDTH = 1200
/** Pixels beside a part, and above and below it, where its neighbours are near. */
const MARGIN = { x: 12, y: 4 }
const NO_MARGIN = { x: 0, y: 0 }
/** Of 1. Lower, and text has a shadow. */
const QUALITY = 0.85
/** Milliseconds: longer than a toast stays. */
const TOAST_TIMEOUT = 20_000

/** Somebody in a browser of their own, which shows the same in every picture. */
export async function openBrowser(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    ...{ baseURL, viewport: { width: WIDTH, height: 800 }, colorScheme: 'light', reducedMotion: 'reduce' },
    ...{ locale: 'en-AU', timezoneId: 'Australia/Sydney' },
  })
  return await context.newPage()
}

/** @returns a WebP file */
export async function takePicture(
  page: Page,
  { around, isAlone, width = WIDTH, height = 800 }: Part,
): Promise<Uint8Array> {
  await page.setViewportSize({ width, height })
  // Under the mouse a toast stays.
  await page.mouse.move(0, 0)
  await expect(page.locator('.toast')).toBeHidden({ timeout: TOAST_TIMEOUT })
  await around?.scrollIntoViewIfNeeded()
  for (const frame of page.frames()) await frame.evaluate(fixTimes)
  const box = await around?.boundingBox()
  const margin = isAlone ? NO_MARGIN : MARGIN
  const clip = box && {
    ...{ x: Math.max(0, box.x - margin.x), y: Math.max(0, box.y - margin.y) },
    ...{ width: box.width + 2 * margin.x, height: box.height + 2 * margin.y },
  }
  return await toWebp(page, await page.screenshot({ animations: 'disabled', ...(clip && { clip }) }))
}

/** In the browser: shows a fixed time for what has just happened, so that a picture changes only with its screen. */
function fixTimes() {
  const isRecent = (date: string) => Math.abs(Date.now() - Date.parse(date)) < 2 * 86_400_000
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    const text = node.nodeValue ?? ''
    const fixed = text
      .replace(/[A-Z][a-z]{2} \d{1,2}, \d{4}/g, date => (isRecent(date) ? 'Jul 6, 2026' : date))
      .replace(/\d{1,2}:\d{2} [AP]M/g, '9:30 AM')
      .replace(/Draft saved \d{2}:\d{2}/, 'Draft saved 09:30')
    if (fixed !== text) node.nodeValue = fixed
  }
}

/** A drawing as a file that somebody could upload. */
export async function drawPng(page: Page, svg: string) {
  const drawing = await page.context().newPage()
  await drawing.setViewportSize({ width: 1440, height: 810 })
  await drawing.setContent(readFileSync(svg, 'utf8'))
  const buffer = await drawing.locator('svg').screenshot()
  await drawing.close()
  return { name: 'drawing.png', mimeType: 'image/png', buffer }
}

/** Drawn in an empty page, because a canvas of the portal is not for this. */
async function toWebp(page: Page, png: Buffer): Promise<Uint8Array> {
  const blank = await page.context().newPage()
  const base64 = await blank.evaluate(
    async ({ source, quality, widest }) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob())
      const scale = Math.min(1, widest / bitmap.width)
      const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const context = canvas.getContext('2d')
      if (context) context.imageSmoothingQuality = 'high'
      context?.drawImage(bitmap, 0, 0, width, height)
      return canvas.toDataURL('image/webp', quality).replace(/^.*,/, '')
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, quality: QUALITY, widest: WIDTH },
  )
  await blank.close()
  return Buffer.from(base64, 'base64')
}
