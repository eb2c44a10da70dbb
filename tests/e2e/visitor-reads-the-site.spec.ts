import { expect, type Page } from '@playwright/test'
import { testApart } from './installation.ts'
import { enquiryMistakes, publicTexts } from './public-texts.ts'
import { tabTo } from './tab-to.ts'

const test = testApart()

const widths = { desk: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } }
const pages = [...new Set(publicTexts.map(({ page }) => page))]

for (const [device, viewport] of Object.entries(widths)) {
  test.describe(`on a ${device}`, () => {
    test.use({ viewport })

    for (const address of pages) {
      test(`a visitor reads on ${address} all that belongs there`, async ({ page }) => {
        const reply = await page.goto(address)
        expect(reply?.status()).toBe(address === '/no-such-page' ? 404 : 200)
        const shown = await readPage(page)
        for (const { calledFor, texts } of publicTexts.filter(text => text.page === address)) {
          const missing = texts.filter(text => !shown.includes(text))
          expect(missing, calledFor).toEqual([])
        }
      })
    }

    test('a visitor scrolls down the home page, never sideways', async ({ page }) => {
      await page.goto('/')
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
      const header = page.locator('.header')
      await expect(header).toHaveCSS('box-shadow', 'none')
      await page.mouse.wheel(0, 10)
      await expect(header).toHaveCSS('box-shadow', 'none')
      await page.mouse.wheel(0, 1)
      await expect(header).not.toHaveCSS('box-shadow', 'none')
    })
  })
}

test('a visitor finds where they are in the header, and the menu of a phone opens and closes', async ({
  page,
}) => {
  await page.goto('/about-us')
  const main = page.getByRole('navigation', { name: 'Main' })
  // The specified three, then what staff put into the menu.
  const links = ['Home', 'About Us', 'Contact', 'Visas', 'Fees', 'How it works']
  await expect(main.getByRole('link')).toHaveText(links)
  await expect(main.getByRole('link', { name: 'About Us' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/auth')

  await page.setViewportSize(widths.phone)
  await expect(main.getByRole('link', { name: 'About Us' })).toBeHidden()
  const menu = page.locator('summary', { hasText: 'Menu' })
  await menu.click()
  await expect(main.getByRole('link')).toHaveText(links)
  await expect(page.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/auth')
  await menu.click()
  await expect(main.getByRole('link', { name: 'Home' })).toBeHidden()
})

test('a visitor sees what to correct, up to the last character that is missing', async ({ page }) => {
  await page.goto('/contact')
  await expect(page.getByLabel('Message')).toHaveAttribute('rows', '4')
  for (const { label, mistaken } of enquiryMistakes) await page.getByLabel(label).fill(mistaken)
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  for (const { label, message, enough } of enquiryMistakes) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(`${message}$`))
    await page.getByLabel(label).fill(enough)
  }
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await expect(
    page.getByText('Thank you for your interest. We will contact you shortly.').first(),
  ).toBeVisible()
  await expect(page.locator('#toast')).toContainText('Request Submitted')
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
  await expect(page.getByText(/Your reference is LF-/)).toBeVisible()
})

test('a visitor sees every picture that a page names', async ({ page }) => {
  const pictures = new Set<string>()
  page.on('response', reply => {
    if (reply.url().endsWith('.svg')) pictures.add(reply.url())
  })
  for (const address of pages) {
    await page.goto(address)
    await expect(page.locator('[data-island]:not([data-live])')).toHaveCount(0)
    if (address === '/') {
      await expect(page.locator('.site-slide-picture')).toHaveCount(1)
      await page.locator('.site-carousel').hover({ position: { x: 5, y: 5 } })
      await expect.poll(() => pictures.size).toBe(3)
    }
    // Before the next page, which would interrupt them. One that cannot be shown is refused here.
    await page.evaluate(async () => {
      for (const image of document.images) image.loading = 'eager'
      scrollTo(0, document.body.scrollHeight)
      await Promise.all([...document.images].map(image => image.decode()))
    })
  }
  // Three scenes and the drawn map. One that is not well formed shows nothing, and no browser complains.
  await expect.poll(() => pictures.size).toBe(4)
  for (const url of pictures) {
    const text = await (await page.request.get(url)).text()
    const root = await page.evaluate(
      source => new DOMParser().parseFromString(source, 'image/svg+xml').documentElement.nodeName,
      text,
    )
    expect(root, url).toBe('svg')
  }
})

test('a visitor who adds the site to the home screen gets its name and icon', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/site.webmanifest')
})

test('a visitor reads both typefaces, cut as they are', async ({ page }) => {
  await page.goto('/')
  // A browser that refuses a typeface shows another one, and says so to nobody.
  const faces = () =>
    page.evaluate(() => [...document.fonts].filter(it => it.status === 'loaded').map(it => it.family))
  await expect.poll(faces).toEqual(expect.arrayContaining(['Fraunces', 'Public Sans']))
  // Plain English needs nothing but the cut ones.
  expect((await faces()).length).toBe(2)
})

test('a visitor asks for the map, and without a network still has the address and a link', async ({
  page,
}) => {
  // On a fast line it would come by itself.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  const asked: string[] = []
  await page.route('https://www.openstreetmap.org/**', async route => {
    asked.push(route.request().url())
    await route.abort()
  })
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Show the map' }).scrollIntoViewIfNeeded()
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Show the map' }).click()
  await expect(page.frameLocator('iframe[title="Map of our office"]').owner()).toBeAttached()
  await expect.poll(() => asked[0]).toMatch(/^https:\/\/www\.openstreetmap\.org\/export\/embed\.html\?bbox=/)
  await expect(page.getByRole('link', { name: 'Open in OpenStreetMap' })).toBeVisible()
})

test('a visitor reads everything at four times the size, without scrolling sideways', async ({ page }) => {
  // 1280 pixels at 400 %, and the narrowest phone.
  await page.setViewportSize({ width: 320, height: 256 })
  for (const address of [...pages, '/fees']) {
    await page.goto(address)
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wider, address).toBeLessThanOrEqual(0)
  }
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
