import { expect } from '@playwright/test'
import { days, hours, minutes } from '../../src/clock.ts'
import { newId } from '../../src/database/id.ts'
import type { TokenType } from '../../src/features/api-tokens/contract.ts'
import { expectTexts } from './expect-texts.ts'
import { ADMIN_EMAIL, type Installation, signIn, test } from './installation.ts'
import { withDatabase } from './staff.ts'

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
