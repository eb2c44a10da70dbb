import { expect } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import type { TokenType } from '../../src/features/api-tokens/contract.ts'
import { live } from '../../src/live/contract.ts'
import { days, hours, minutes } from '../../src/platform/clock.ts'
import { createToken } from '../e2e/api-tokens.ts'
import { expectTexts } from '../e2e/expect-texts.ts'
import { ADMIN_EMAIL, type Installation, signIn, test } from '../e2e/installation.ts'
import { withDatabase } from '../e2e/staff.ts'

const askFor = async ({ url }: Installation, token: string) =>
  await fetch(`${url}/api/auth/me`, { headers: { Authorization: `Bearer ${token}` } })

/** Tokens of the first admin, each used so long ago. */
async function writeTokens(
  installation: Installation,
  tokens: readonly {
    description: string
    type: TokenType | 'legacy'
    usedAgo: number | null
    expiresIn: number
  }[],
) {
  const now = Date.now()
  const at = (time: number) => new Date(time).toISOString()
  await withDatabase(installation, async db => {
    const { id: user_id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', ADMIN_EMAIL)
      .executeTakeFirstOrThrow()
    for (const { description, type, usedAgo, expiresIn } of tokens) {
      const id = newId(new Date())
      await db
        .insertInto('api_tokens')
        .values({
          id,
          user_id,
          description,
          token_type: type,
          token_hash: id,
          last_used_at: usedAgo === null ? null : at(now - usedAgo),
          expires_at: at(now + expiresIn),
          created_at: at(now - days(40)),
        })
        .execute()
    }
  })
}

test('an admin sees of each token what it is, when it was last used and when it ends', async ({
  page,
  installation,
}) => {
  const soon = days(9)
  await writeTokens(installation, [
    { description: 'Never called', type: 'api', usedAgo: null, expiresIn: soon },
    { description: 'A moment', type: 'web', usedAgo: 0, expiresIn: soon },
    { description: 'Minutes', type: 'mobile', usedAgo: minutes(5), expiresIn: soon },
    { description: 'Hours', type: 'integration', usedAgo: hours(3), expiresIn: soon },
    { description: 'Days', type: 'api', usedAgo: days(2), expiresIn: soon },
    { description: 'Long ago', type: 'api', usedAgo: days(31), expiresIn: -days(1) },
    { description: '', type: 'legacy', usedAgo: null, expiresIn: soon },
  ])
  await signIn(page, installation)
  await page.goto('/api-tokens')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(page.getByRole('columnheader')).toHaveText([
    'Description',
    'Type',
    'Last used',
    'Expires',
    'Actions',
  ])
  const lastUse = (name: string) => row(name).getByRole('cell').nth(2)
  await expectTexts(lastUse('Never called'), '/api-tokens', 'Never')
  await expectTexts(lastUse('A moment'), '/api-tokens', 'Just now')
  await expectTexts(lastUse('Minutes'), '/api-tokens', '{count} minutes ago')
  await expect(lastUse('Minutes')).toHaveText('5 minutes ago')
  await expectTexts(lastUse('Hours'), '/api-tokens', '{count} hours ago')
  await expectTexts(lastUse('Days'), '/api-tokens', '{count} days ago')
  await expectTexts(lastUse('Long ago'), '/api-tokens', '{date}')
  await expectTexts(row('No description'), '/api-tokens', 'No description', 'Legacy', 'Never')
  await expect(row('Long ago')).toContainText('Expired')
  await expect(row('Hours')).not.toContainText('Expired')
  const revoke = (at: number) =>
    page
      .getByRole('row')
      .nth(at)
      .getByRole('button', { name: /^Revoke/ })
  await revoke(1).focus()
  await page.keyboard.press('ArrowDown')
  await expect(revoke(2)).toBeFocused()
})

test('every call is in the reference, and a link leads to one of them', async ({ page, installation }) => {
  await signIn(page, installation)
  await page.goto('/api-tokens?tab=documentation')
  const { paths } = await (await fetch(`${installation.url}/api/openapi.json`)).json()
  const calls = Object.values<object>(paths).flatMap(methods => Object.keys(methods))
  await expect(page.locator('.api-tokens-call')).toHaveCount(calls.length)
  await page.getByText('/api/messages/{id}/forward').click()
  await expect(page).toHaveURL(/call=post-api-messages-id-forward$/)
  await page.reload()
  const open = page.locator('.api-tokens-call[open]')
  await expect(open).toHaveCount(1)
  await expect(open).toBeInViewport()
  await expect(open).toContainText('Send a message to the configured address')
  await expect(open.getByText('in the path')).toBeVisible()
})

test('a list or a change that fails says so', async ({ page, installation }) => {
  const message = 'This is not possible right now. Please try again in a moment.'
  const error = { status: 503, json: { success: false, message } }
  await signIn(page, installation)
  await page.goto('/api-tokens')
  const token = await createToken(page, 'Stays')
  await page.route('**/api/admin/tokens', route => route.fulfill(error))
  await page.getByRole('button', { name: 'Create Token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Token' })
  await dialog.getByLabel('Description').fill('Never made')
  await dialog.getByRole('button', { name: 'Create Token' }).click()
  await expectTexts(page, '/api-tokens', 'Failed to create token')
  await expect(page.getByText(message)).toBeVisible()
  await expect(dialog.getByLabel('Description')).toHaveValue('Never made')
  // While it is being made, Escape does nothing.
  await expect(dialog.getByRole('button', { name: 'Create Token' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()

  await page.route('**/api/admin/tokens/*', async route =>
    route.request().method() === 'DELETE' ? await route.fulfill(error) : await route.fallback(),
  )
  await page.getByRole('button', { name: 'Revoke Stays' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expectTexts(page, '/api-tokens', 'Failed to revoke token')
  await expect(page.getByRole('row').filter({ hasText: 'Stays' })).toBeVisible()
  expect((await askFor(installation, token)).status).toBe(200)

  await page.route('**/api/admin/tokens/*', route => route.fulfill(error))
  await page.reload()
  await expectTexts(page, '/api-tokens', 'Failed to fetch tokens', 'Error loading tokens: {reason}')
  await expect(page.getByText(`Error loading tokens: 503: ${message}`)).toBeVisible()
  await page.unroute('**/api/admin/tokens/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Stays' })).toBeVisible()
})

test('an admin whose session ends meanwhile sees so on the screen', async ({
  page,
  context,
  installation,
}) => {
  await signIn(page, installation)
  // It connects last, and would otherwise be the first to hear that the session has ended.
  const isConnected = page.waitForResponse(`**${live.events.path}`)
  await page.goto('/api-tokens?tab=documentation')
  const tab = page.getByRole('tab', { name: 'Manage Tokens' })
  await expect(tab).toBeVisible()
  await isConnected
  await context.clearCookies({ name: 'session' })
  await tab.click()
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(page).toHaveURL(/\/api-tokens$/)
})
