import { expect, type Page } from '@playwright/test'
import { testApart } from './installation.ts'
import { publicTexts } from './public-texts.ts'
import { tabTo } from './tab-to.ts'

const test = testApart()

const widths = { desk: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } }
const pages = [...new Set(publicTexts.map(({ page }) => page))]

test('a visitor reads on each page all that belongs there, at a desk and on a phone', async ({ page }) => {
  for (const viewport of Object.values(widths)) {
    await page.setViewportSize(viewport)
    for (const address of pages) {
      const reply = await page.goto(address)
      expect(reply?.status()).toBe(address === '/no-such-page' ? 404 : 200)
      const shown = await readPage(page)
      for (const { calledFor, texts } of publicTexts.filter(text => text.page === address)) {
        const missing = texts.filter(text => !shown.includes(text))
        expect(missing, calledFor).toEqual([])
      }
    }
  }
})

test('a visitor does the whole enquiry by the keyboard alone', async ({ page }) => {
  await page.goto('/contact?form=tracking')
  await tabTo(page, page.getByRole('link', { name: 'Visa assessment' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Your name'))
  await page.keyboard.type('Kim Keys')
  for (const text of ['kim@example.com', '+61 2 5550 0188']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.type('Sk')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Which visa fits a welder from Chile?')
  await tabTo(page, page.getByRole('button', { name: 'Send enquiry' }))
  const sent = page.waitForRequest('**/api/visa-assessment')
  await page.keyboard.press('Enter')
  const { name, service, message } = (await sent).postDataJSON()
  expect({ name, service, message }).toEqual({
    name: 'Kim Keys',
    service: 'skilled',
    message: 'Which visa fits a welder from Chile?',
  })
  await expect(page.locator('.reference')).toHaveText(/^LF-/)
})

/** The words of the page as they are shown, with everything opened that a click opens. */
async function readPage(page: Page): Promise<string> {
  return await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
    for (const button of document.querySelectorAll('button')) button.hidden = false
    // Of a list to choose from, a page's text holds only what is chosen.
    const choices = [...document.querySelectorAll('option')].map(option => option.text)
    return [document.body.innerText, ...choices].join('\n').replaceAll('\u00A0', ' ')
  })
}
