import { expect, type Page } from '@playwright/test'
import { test } from '../e2e/installation.ts'
import { slides } from '../e2e/public-texts.ts'
import { createGate } from './fake-api.ts'

test.use({ reducedMotion: 'no-preference' })

test('a visitor turns the slides by arrows, dots and keys, and past both ends', async ({ page }) => {
  await open(page)
  await expect(page.locator('.site-carousel')).toHaveCSS('height', '500px')
  await expect(page.locator('.site-slide').first()).toHaveCSS('transition-duration', /^1s/)
  await expect(page.locator('.site-carousel-dot')).toHaveCount(3)
  for (const index of [1, 2, 0]) {
    await page.getByRole('button', { name: 'Next slide' }).click()
    await shows(page, index)
  }
  await page.getByRole('button', { name: 'Previous slide' }).click()
  await shows(page, 2)
  await page.getByRole('button', { name: 'Slide 2: Professional Legal Support' }).click()
  await shows(page, 1)
  await page.keyboard.press('ArrowRight')
  await shows(page, 2)
  await page.keyboard.press('ArrowLeft')
  await shows(page, 1)
  await page.locator('.site-slide[data-current]').getByRole('link', { name: 'Contact Us' }).click()
  await expect(page).toHaveURL(/\/contact$/)
})

test('the slides turn by themselves every fifteen seconds, and silently', async ({ page }) => {
  await openAtStandstill(page)
  await page.mouse.move(10, 890)
  const spoken = page.locator('.site-carousel-slides')
  await expect(spoken).toHaveAttribute('aria-live', 'off')
  for (const index of [1, 2, 0]) {
    await page.clock.runFor(14_900)
    await shows(page, (index + 2) % 3)
    await page.clock.runFor(200)
    await shows(page, index)
  }
  // Without a pointer the pictures of the others come before the first turn.
  await page.reload()
  await page.clock.runFor(4000)
  await expect(spoken).toHaveAttribute('aria-live', 'off')
  await expect(page.locator('.site-slide-picture')).toHaveCount(1)
  // Out of sight, or in a tab that is not shown, nothing turns and nothing loads.
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  await waits(page)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect(spoken).toHaveAttribute('aria-live', 'off')
  await hide(page, true)
  await waits(page)
  await hide(page, false)
  await expect(spoken).toHaveAttribute('aria-live', 'off')
  await page.clock.runFor(10_500)
  await shows(page, 0)
  await expect(page.locator('.site-slide-picture')).toHaveCount(3)
})

test('the slides wait while someone points at them or has focused one of their buttons', async ({ page }) => {
  await openAtStandstill(page)
  await page.clock.runFor(40_000)
  await shows(page, 0)
  await page.mouse.move(10, 890)
  await page.clock.runFor(15_100)
  await shows(page, 1)
  await page.getByRole('button', { name: 'Next slide' }).focus()
  await page.clock.runFor(40_000)
  await shows(page, 1)
  await expect(page.locator('.site-carousel-slides')).toHaveAttribute('aria-live', 'polite')
})

test('the slides stop when a visitor says so, and go on', async ({ page }) => {
  await openAtStandstill(page)
  await page.getByRole('button', { name: 'Stop the slides' }).click()
  await page.mouse.move(10, 890)
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.clock.runFor(40_000)
  await shows(page, 0)
  await page.getByRole('button', { name: 'Start the slides' }).click()
  await page.mouse.move(10, 890)
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.clock.runFor(15_100)
  await shows(page, 1)
})

test.describe('for a visitor who wants less motion', () => {
  test.use({ reducedMotion: 'reduce' })

  test('the button offers to let the slides turn, and never to stop what does not move', async ({ page }) => {
    await page.route(/\/assets\/react-/, async route => {
      await new Promise(resolve => setTimeout(resolve, 500))
      await route.continue()
    })
    await page.goto('/')
    const stop = page.getByRole('button', { name: 'Stop the slides' })
    await expect(stop).toHaveCount(0)
    await page.locator('.site-carousel').hover({ position: { x: 5, y: 5 } })
    await page.getByRole('button', { name: 'Start the slides' }).click()
    await expect(stop).toBeVisible()
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    // A change and its opposite within a frame are none.
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect(page.getByRole('button', { name: 'Start the slides' })).toBeVisible()
  })

  test('the slides stay until they are turned', async ({ page }) => {
    await openAtStandstill(page)
    await page.mouse.move(10, 890)
    await page.clock.runFor(40_000)
    await shows(page, 0)
    await page.getByRole('button', { name: 'Next slide' }).click()
    await shows(page, 1)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('a visitor swipes the slides', async ({ page }) => {
    await open(page)
    await swipe(page, 300, 100)
    await shows(page, 1)
    await swipe(page, 100, 300)
    await shows(page, 0)
    await swipe(page, 200, 180)
    await shows(page, 0)
  })
})

test('a press on an arrow that comes before the script is there is not lost', async ({ page }) => {
  const script = createGate()
  await page.route(/\/assets\/react-/, async route => {
    await script.opened
    await route.continue()
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Next slide' }).click()
  await page.getByRole('button', { name: 'Next slide' }).click()
  await expect(page.locator('[data-live]')).toHaveCount(0)
  script.open()
  await shows(page, 2)
})

/** From here on time passes only when a test says so. */
async function openAtStandstill(page: Page) {
  await page.clock.install({ time: 0 })
  await open(page)
  await page.clock.pauseAt(600_000)
}

async function open(page: Page) {
  await page.setViewportSize(
    page.viewportSize()?.width === 360 ? { width: 360, height: 740 } : { width: 1440, height: 900 },
  )
  await page.goto('/')
  await page.locator('.site-carousel').hover({ position: { x: 5, y: 5 } })
  await expect(page.locator('[data-island="carousel"]')).toHaveAttribute('data-live')
}

async function shows(page: Page, index: number) {
  const slide = slides[index]
  const shown = page.locator('.site-slide[data-current]')
  await expect(shown).toHaveCount(1)
  await expect(shown.getByRole('heading')).toHaveText(slide?.title ?? '')
  await expect(shown.locator('p')).toHaveText(slide?.description ?? '')
  await expect(page.locator('.site-carousel-dot').nth(index)).toHaveAttribute('aria-current', 'true')
}

async function waits(page: Page) {
  await expect(page.locator('.site-carousel-slides')).toHaveAttribute('aria-live', 'polite')
  await page.clock.runFor(40_000)
  await shows(page, 0)
  await expect(page.locator('.site-slide-picture')).toHaveCount(1)
}

/** What a page learns when another tab is shown, or this one again. */
async function hide(page: Page, isHidden: boolean) {
  await page.evaluate(hidden => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

async function swipe(page: Page, from: number, to: number) {
  const carousel = page.locator('.site-carousel')
  const finger = { pointerType: 'touch', isPrimary: true, clientY: 250, bubbles: true }
  await carousel.dispatchEvent('pointerdown', { ...finger, clientX: from })
  await carousel.dispatchEvent('pointerup', { ...finger, clientX: to })
}
