import { expect } from '@playwright/test'
import { test } from './installation-with-captcha.ts'

test('the page that verifies an address names no host of Google, though the bot check is on', async ({
  page,
  google: _,
}) => {
  const hosts = new Set<string>()
  page.on('request', request => hosts.add(new URL(request.url()).host))
  const signIn = await page.request.get('/auth')
  expect(signIn.headers()['content-security-policy']).toContain('google')
  const verify = await page.goto('/verify-email?token=x')
  expect(verify?.headers()['content-security-policy']).not.toMatch(/google|gstatic|https?:/)
  await expect(page.getByText('Invalid verification token')).toBeVisible()
  expect([...hosts]).toEqual([new URL(page.url()).host])
})
