import { expect } from '@playwright/test'
import { testApart } from '../e2e/installation.ts'
import { publicTexts } from '../e2e/public-texts.ts'

const test = testApart()
const pages = [...new Set(publicTexts.map(({ page }) => page))]

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

test('a visitor reads both typefaces, cut as they are', async ({ page }) => {
  await page.goto('/')
  // A browser that refuses a typeface shows another one, and says so to nobody.
  const faces = () =>
    page.evaluate(() => [...document.fonts].filter(it => it.status === 'loaded').map(it => it.family))
  await expect.poll(faces).toEqual(expect.arrayContaining(['Fraunces', 'Public Sans']))
  // Plain English needs nothing but the cut ones.
  expect((await faces()).length).toBe(2)
})

test('a visitor whose browser translates the site finds it turned round, with numbers as they are (found V9)', async ({
  page,
}) => {
  await page.goto('/contact')
  await expect(page.locator('[data-island]:not([data-live])')).toHaveCount(0)
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  // The plus of a telephone number stays at its left.
  const isPlusFirst = (link: Element) => {
    const range = document.createRange()
    const left = (at: number) => {
      range.setStart(link.firstChild ?? link, at)
      range.setEnd(link.firstChild ?? link, at + 1)
      return range.getBoundingClientRect().left
    }
    return left(0) < left((link.textContent?.length ?? 0) - 1)
  }
  const phones = await page.locator('a[href^="tel:"]').all()
  expect(phones.length).toBeGreaterThan(1)
  for (const phone of phones) expect(await phone.evaluate(isPlusFirst)).toBe(true)
  for (const name of ['Your name', 'Message'])
    expect(
      await page.getByLabel(name, { exact: true }).evaluate((field: HTMLInputElement) => {
        field.value = 'من پرستار هستم'
        return getComputedStyle(field).direction
      }),
    ).toBe('rtl')
  const edges = await page.evaluate(() => {
    const right = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().right ?? 0
    return {
      logo: right('.logo'),
      heading: right('h1'),
      sideways: document.documentElement.scrollWidth - innerWidth,
    }
  })
  expect(Math.abs(edges.logo - edges.heading)).toBeLessThan(2)
  expect(edges.sideways).toBeLessThanOrEqual(0)
  await page.goto('/')
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  for (const arrow of ['.site-arrow', '.site-carousel-arrow'])
    await expect(page.locator(arrow).first()).toHaveCSS('scale', '-1 1')
  // Where the text of a choice ends.
  await expect(page.locator('.site-finder select').first()).toHaveCSS('background-position-x', '14px')
})

test('a visitor who listens to a page hears a name of its own for each control, and no headings of the footer (found V14)', async ({
  page,
}) => {
  for (const address of ['/', '/contact', '/about-us', '/visas/skills-in-demand-482']) {
    await page.goto(address)
    await expect(page.locator('[data-island]:not([data-live])')).toHaveCount(0)
    const names = await page
      .locator('select:visible, input:visible, textarea:visible')
      .evaluateAll(all =>
        all.map(
          it =>
            it.ariaLabel ??
            (it instanceof HTMLInputElement ? it.labels?.[0] : it.closest('.field'))?.textContent,
        ),
      )
    expect(new Set(names).size, address).toBe(names.length)
    await expect(page.getByRole('contentinfo').getByRole('heading')).toHaveCount(0)
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to the content' })
    await expect(skip).toBeFocused()
    expect((await skip.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  await page.goto('/')
  await expect(page.getByRole('combobox', { name: 'I am: where you are' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'I am: your age' })).toBeVisible()
  await page.goto('/contact')
  await expect(page.getByRole('heading', { name: 'Send an enquiry' })).toBeAttached()
})
