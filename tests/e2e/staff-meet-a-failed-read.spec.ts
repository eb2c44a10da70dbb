import { expect } from '@playwright/test'
import { expectTexts, toast } from './expect-texts.ts'
import { signIn, test } from './installation.ts'

const proxyPage = '<html><head><title>502</title></head><body><h1>Bad Gateway</h1>nginx</body></html>'

const screens = [
  { path: '/users', call: '**/api/users*', text: 'Failed to fetch users' },
  { path: '/messages', call: '**/api/messages*', text: 'Failed to fetch messages' },
  { path: '/settings', call: '**/api/settings', text: 'Failed to fetch settings' },
  { path: '/logs', call: '**/api/logs*', text: 'Failed to fetch logs' },
] as const

test('a screen behind a broken proxy shows the error of the proxy and what failed', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  for (const { path, call, text } of screens) {
    await page.route(call, route => route.fulfill({ status: 502, contentType: 'text/html', body: proxyPage }))
    await page.goto(path)
    await expect(page.locator('.state')).toContainText('502: Bad Gateway nginx')
    await expect(toast(page)).toContainText(text)
    await page.unroute(call)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('502: Bad Gateway')).toBeHidden()
  }
  await page.route('**/api/admin/tokens/*', route => route.fulfill({ status: 503, body: 'busy' }))
  await page.goto('/api-tokens')
  await expectTexts(page, '/api-tokens', 'Failed to fetch tokens')
  await expect(page.getByText('Error loading tokens: 503: busy')).toBeVisible()
  await page.route('**/api/auth/sessions', route => route.fulfill({ status: 503, body: 'busy' }))
  await page.goto('/dashboard?profile=edit')
  await expect(page.locator('.profile-sessions').getByRole('alert')).toContainText('503: busy')
})

test('a person without a connection sees no error about a request that they did not submit', async ({
  page,
  installation,
}) => {
  await signIn(page, installation)
  for (const { path, call, text } of screens) {
    await page.route(call, route => route.abort())
    await page.goto(path)
    await expect(page.locator('.state')).toContainText('The server could not be reached.')
    await expect(toast(page)).toContainText(text)
    await expect(page.getByText('while submitting your request')).toHaveCount(0)
    await page.unroute(call)
  }
})

test('a message that cannot be loaded is not reported as deleted', async ({ page, installation }) => {
  await signIn(page, installation)
  const path = '/messages?message=01900000-0000-7000-8000-000000000000'
  await page.goto(path)
  await expect(page.getByRole('dialog')).toContainText('It may have been deleted.')
  await page.route('**/api/messages/*', route => route.fulfill({ status: 502, body: 'Bad Gateway' }))
  await page.goto(path)
  await expect(page.getByRole('dialog')).toContainText('could not be opened. 502: Bad Gateway')
  await page.unroute('**/api/messages/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog')).toContainText('It may have been deleted.')
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

for (const [what, status, text] of [
  ['is overloaded', 503, '503: busy'],
  ['limits requests', 429, '429: busy'],
  ['cannot be reached', 0, 'The server could not be reached.'],
] as const)
  test(`somebody who is signed in sees no login form while the server ${what}`, async ({
    page,
    installation,
  }) => {
    await signIn(page, installation)
    for (const [path, arrived] of [
      ['/users', /\/users$/],
      ['/api-tokens', /\/api-tokens$/],
      ['/auth?next=/users', /\/users$/],
    ] as const) {
      await page.route('**/api/auth/me', route =>
        status ? route.fulfill({ status, body: 'busy' }) : route.abort(),
      )
      await page.goto(path)
      await expect(page.getByRole('alert')).toContainText(text)
      await expect(page.getByLabel('Password')).toHaveCount(0)
      await page.unroute('**/api/auth/me')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page).toHaveURL(arrived)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })
