import { expect } from '@playwright/test'
import { apiTokens } from '../../src/features/api-tokens/contract.ts'
import { messages } from '../../src/features/inbox/contract.ts'
import { logs } from '../../src/features/logs/contract.ts'
import { profile } from '../../src/features/profile/contract.ts'
import { settings } from '../../src/features/settings/contract.ts'
import { signIn } from '../../src/features/sign-in/contract.ts'
import { users } from '../../src/features/users/contract.ts'
import { expectTexts } from '../e2e/expect-texts.ts'
import { createGate, Refusal } from './fake-api.ts'
import { answerInbox } from './inbox.ts'
import { answerPortal, answerTokens, answerUsers } from './portal.ts'
import { test, toast } from './story.ts'

const proxyPage = new Refusal(
  502,
  '<html><head><title>502</title></head><body><h1>Bad Gateway</h1>nginx</body></html>',
)

const screens = [
  { path: '/users', contract: users.list, text: 'Failed to fetch users' },
  { path: '/messages', contract: messages.list, text: 'Failed to fetch messages' },
  { path: '/settings', contract: settings.list, text: 'Failed to fetch settings' },
  { path: '/logs', contract: logs.list, text: 'Failed to fetch logs' },
] as const

test.beforeEach(({ api }) => answerPortal(api))

test('a screen behind a broken proxy shows the error of the proxy and what failed', async ({ page, api }) => {
  answerInbox(api, [])
  for (const { path, contract, text } of screens) {
    api.refuse(contract, proxyPage)
    await page.goto(path)
    await expect(page.locator('.state')).toContainText('502: Bad Gateway nginx')
    await expect(toast(page)).toContainText(text)
    api.refuse(contract, new Refusal(503, { message: 'Busy again' }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('502: Bad Gateway')).toBeHidden()
  }
  answerUsers(api)
  api.on(apiTokens.list, () => new Refusal(503, 'busy'))
  await page.goto('/api-tokens')
  await expectTexts(page, '/api-tokens', 'Failed to fetch tokens')
  await expect(page.getByText('Error loading tokens: 503: busy')).toBeVisible()
  api.on(profile.sessions, () => new Refusal(503, 'busy'))
  await page.goto('/dashboard?profile=edit')
  await expect(page.locator('.profile-sessions').getByRole('alert')).toContainText('503: busy')
})

test('a person without a connection sees no error about a request that they did not submit', async ({
  page,
  api,
}) => {
  answerInbox(api, [])
  for (const { path, contract, text } of screens) {
    const call = new RegExp(`${contract.path}(\\?|$)`)
    await page.route(call, route => route.abort())
    await page.goto(path)
    await expect(page.locator('.state')).toContainText('The server could not be reached.')
    await expect(toast(page)).toContainText(text)
    await expect(page.getByText('while submitting your request')).toHaveCount(0)
    await page.unroute(call)
  }
})

test('a person whose account cannot be loaded sees a spinner, then what failed, and can try again', async ({
  page,
  api,
}) => {
  answerUsers(api)
  const gate = createGate()
  api.on(signIn.me, async () => {
    await gate.opened
    return new Refusal(500)
  })
  await page.goto('/users')
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible()
  gate.open()
  await expect(page.getByRole('alert')).toContainText('Failed to fetch user. 500')
  answerPortal(api)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await expect(page).toHaveURL(/\/users$/)
})

for (const [what, refusal, text] of [
  ['is overloaded', new Refusal(503, 'busy'), '503: busy'],
  ['limits requests', new Refusal(429, 'busy'), '429: busy'],
  ['cannot be reached', null, 'The server could not be reached.'],
] as const)
  test(`somebody who is signed in sees no login form while the server ${what}`, async ({
    page,
    context,
    baseURL,
    api,
  }) => {
    // The sign-in asks who it is only where this cookie says that somebody is signed in.
    await context.addCookies([{ name: 'signed_in', value: '1', url: String(baseURL) }])
    answerUsers(api)
    answerTokens(api)
    for (const [path, arrived] of [
      ['/users', '/users'],
      ['/api-tokens', '/api-tokens'],
      ['/auth?next=/users', '/users'],
    ] as const) {
      if (refusal) api.on(signIn.me, () => refusal)
      else await page.route('**/api/auth/me', route => route.abort())
      await page.goto(path)
      await expect(page.getByRole('alert')).toContainText(text)
      await expect(page.getByLabel('Password')).toHaveCount(0)
      await page.unroute('**/api/auth/me')
      answerPortal(api)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page).toHaveURL(arrived)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })
