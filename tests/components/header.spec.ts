import { expect } from '@playwright/test'
import { test } from '../e2e/installation.ts'

test('a visitor scrolls, and the header casts a shadow from then on', async ({ page }) => {
  await page.goto('/')
  const header = page.locator('.header')
  await expect(header).toHaveCSS('box-shadow', 'none')
  await page.mouse.wheel(0, 10)
  await expect(header).toHaveCSS('box-shadow', 'none')
  await page.mouse.wheel(0, 1)
  await expect(header).not.toHaveCSS('box-shadow', 'none')
})

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

  await page.setViewportSize({ width: 360, height: 740 })
  await expect(main.getByRole('link', { name: 'About Us' })).toBeHidden()
  const menu = page.locator('summary', { hasText: 'Menu' })
  await menu.click()
  await expect(main.getByRole('link')).toHaveText(links)
  await expect(page.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/auth')
  await menu.click()
  await expect(main.getByRole('link', { name: 'Home' })).toBeHidden()
})

test('the part of the header for staff is loaded by those who have signed in, and by no stranger', async ({
  page,
  installation,
}) => {
  const scripts: string[] = []
  page.on('request', request => scripts.push(new URL(request.url()).pathname))
  const staffHeaders = () => scripts.filter(path => path.includes('staff-header'))
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(scripts.some(path => path.endsWith('.js'))).toBe(true)
  expect(staffHeaders()).toEqual([])
  await page.context().addCookies([{ name: 'signed_in', value: '1', url: installation.url }])
  await page.goto('/')
  await expect.poll(() => staffHeaders().length).toBe(1)
})

test('a visitor who adds the site to the home screen gets its name and icon', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/site.webmanifest')
})
