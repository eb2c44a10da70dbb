import { expect } from '@playwright/test'
import { signInByHand, test } from './installation.ts'
import { canProxy, openProxy } from './proxy.ts'

const enquiry = {
  name: 'Ana Reyes',
  email: 'ana@example.com',
  phone: '+61 2 5550 0100',
  message: 'I would like to bring my parents to Australia.',
}

test.use({ ignoreHTTPSErrors: true })

test('behind the proxy, a visitor sends an enquiry over HTTP/2, and staff sign in with a cookie that no other host can set', async ({
  page,
}) => {
  test.skip(!canProxy, 'nginx and openssl are not both installed here')
  const proxy = await openProxy()
  await page.goto(`${proxy.url}/contact`)
  const protocol = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation')
    return entry instanceof PerformanceNavigationTiming ? entry.nextHopProtocol : ''
  })
  expect(protocol).toBe('h2')
  const form = page
    .locator('form')
    .filter({ has: page.getByLabel('Message') })
    .first()
  for (const [label, value] of [
    ['Name', enquiry.name],
    ['Email', enquiry.email],
    ['Phone', enquiry.phone],
    ['Message', enquiry.message],
  ] as const)
    await form.getByLabel(label).first().fill(value)
  await form.getByRole('button', { name: /submit|send/i }).click()
  await expect(page.getByText('Request Submitted')).toBeVisible()
  await signInByHand(page, { ...proxy.installation, url: proxy.url })
  const names = (await page.context().cookies()).map(({ name }) => name)
  expect(names).toContain('__Host-session')
  await page.reload()
  await expect(page).toHaveURL(/\/dashboard$/)
  await proxy.close()
})
