import puppeteer from 'puppeteer-core'
import { type Driver, findInPage, kinds, waitFor } from './driver.ts'

/** Firefox by WebDriver BiDi, the protocol that it speaks itself. */
export async function openFirefox(executablePath: string): Promise<Driver> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true })
  const page = await browser.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  return {
    name: `Firefox ${await browser.version()}`,
    open: async url => void (await page.goto(url)),
    find: (kind, name) =>
      waitFor(async () => {
        const handle = await page.evaluateHandle(findInPage, kinds[kind], name)
        return handle.asElement()
      }, `${kind} ${name}`),
    path: async () => new URL(page.url()).pathname,
    close: () => browser.close(),
  }
}
