import { expect } from '@playwright/test'
import { test } from '../e2e/installation.ts'

test('a visitor whose network blocks OpenStreetMap keeps the drawn map, and can try again (found V2)', async ({
  page,
}) => {
  const asked: string[] = []
  let reply: 'abort' | 'hang' | 'map' = 'abort'
  await page.route('https://www.openstreetmap.org/**', async route => {
    asked.push(route.request().url())
    if (reply === 'abort') await route.abort()
    if (reply === 'map') await route.fulfill({ contentType: 'text/html', body: '<p>Streets</p>' })
  })
  await page.goto('/contact')
  const map = page.locator('.site-map')
  const show = map.getByRole('button', { name: 'Show the map' })
  await show.scrollIntoViewIfNeeded()
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([])
  await show.click()
  await expect(map.getByRole('status')).toHaveText(/The map did not load/)
  expect(asked).toEqual([
    expect.stringMatching(/^https:\/\/www\.openstreetmap\.org\/export\/embed\.html\?bbox=/),
  ])
  await expect(map.locator('iframe')).toHaveCount(0)
  await expect(map.getByRole('link', { name: 'Open in OpenStreetMap' })).toBeVisible()

  reply = 'hang'
  await show.click()
  await expect(map.getByRole('status')).toHaveText('Loading the map …')
  await expect(map.getByRole('status')).toHaveText(/The map did not load/, { timeout: 15_000 })
  await expect(map.locator('iframe')).toHaveCount(0)

  reply = 'map'
  await show.press('Enter')
  const frame = map.locator('iframe[title="Map of our office"]')
  await expect(frame).toBeVisible()
  await expect(frame).toBeFocused()
  await expect(frame.contentFrame().getByText('Streets')).toBeVisible()
  await expect(show).toHaveCount(0)
})
