import { createServer } from 'node:http'
import { expect } from '@playwright/test'
import { signIn, test } from './installation.ts'

test('a page of another site reads nothing with the cookies of a signed-in person (C5)', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  const evil = createServer((_asked, reply) =>
    reply.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Elsewhere</title>'),
  )
  evil.listen(0, '127.0.0.1')
  await new Promise(resolve => evil.once('listening', resolve))
  const address = evil.address()
  // Another site to the browser: an address instead of a name.
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  const read = async (path: string, mode: 'cors' | 'no-cors') =>
    await page.evaluate(
      async ([url, how]) =>
        await fetch(url, { credentials: 'include', mode: how }).then(
          async reply => `${reply.type}: ${await reply.text()}`,
          error => String(error),
        ),
      [`${installation.url}${path}`, mode] as const,
    )
  for (const path of [
    '/api/csrf-token',
    '/api/auth/me',
    '/api/messages',
    '/api/openapi.json',
    '/dashboard',
  ]) {
    expect(await read(path, 'cors'), path).toBe('TypeError: Failed to fetch')
    // What may not be loaded from elsewhere at all fails; what may is empty to the page.
    expect(await read(path, 'no-cors'), path).toMatch(/^(opaque: |TypeError: Failed to fetch)$/)
  }
  await page.goto(`${installation.url}/dashboard`)
  await expect(page.locator('.dashboard-profile-name')).toBeVisible()
  expect(await read('/api/auth/me', 'cors')).toMatch(/^basic: .*"success":true/)
  evil.close()
})
