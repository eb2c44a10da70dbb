import { expect } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import { isoAfter, systemClock } from '../../src/platform/clock.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { STAFF_PASSWORD } from '../support/staff.ts'
import { openCaller } from './caller.ts'
import { expectUnharmed, numbersAt, shown, test, textsFor } from './hostile.ts'
import { withDatabase } from './staff.ts'

// Forty texts in each of several places take their time on a busy machine.
test.describe.configure({ timeout: 180_000 })

const names = textsFor({ most: 100 })

test('users with hostile names are shown safely in the table, the dialogs and the list of owners', async ({
  admin,
}) => {
  const call = await openCaller(admin)
  const role = 'viewer'
  for (const [number, name] of names.entries())
    await call('POST', '/api/users', {
      name,
      email: `u${number}@agency.test`,
      role,
      password: STAFF_PASSWORD,
    })
  await admin.goto('/users')
  for (const [number, name] of names.entries()) {
    const row = admin.locator('tbody tr').filter({ hasText: `u${number}@agency.test` })
    await expect(row).toContainText(shown(name))
    if (!numbersAt(3).includes(number)) continue
    await row.getByRole('button', { name: /^Edit/ }).click()
    await expect(admin.getByRole('dialog').getByLabel('Name')).toHaveValue(name)
    await admin.keyboard.press('Escape')
    await row.getByRole('button', { name: /^Delete/ }).click()
    await expect(admin.getByRole('alertdialog')).toContainText(`delete ${shown(name)}?`)
    await admin.keyboard.press('Escape')
    await expectUnharmed(admin)
  }
  await admin.goto('/api-tokens')
  await expect(admin.getByLabel('User').locator('option')).toHaveCount(names.length + 1)
  await expectUnharmed(admin)
})

test('tokens with hostile descriptions are shown safely', async ({ admin }) => {
  const call = await openCaller(admin)
  const { user } = await call('GET', '/api/auth/me')
  const descriptions = textsFor({ most: 200 })
  const rest = { userId: user.id, expiresInDays: 7, tokenType: 'api' }
  for (const description of descriptions) await call('POST', '/api/admin/tokens', { ...rest, description })
  await admin.goto('/api-tokens')
  await expect(admin.getByRole('button', { name: /^Revoke/ })).toHaveCount(descriptions.length)
  const shownAll = await admin.getByRole('table').innerText()
  for (const description of descriptions) expect(shown(shownAll)).toContain(shown(description))
  await admin
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click()
  await expect(admin.getByRole('alertdialog')).toBeVisible()
  await expectUnharmed(admin)
})

test('hostile names of staff and of the site are shown safely on the dashboard and in the settings', async ({
  admin,
}) => {
  const call = await openCaller(admin)
  for (const number of numbersAt(0)) {
    const name = names[number] ?? ''
    await call('PATCH', '/api/auth/profile', { name })
    await call('PUT', '/api/settings/site_name', { value: name })
    await admin.goto('/dashboard')
    await expect(admin.locator('.dashboard-profile-name')).toContainText(shown(name))
    await admin.getByRole('main').getByRole('link', { name: 'Website Settings' }).click()
    await expect(admin.getByLabel('Site name')).toHaveValue(name)
    await expectUnharmed(admin)
  }
  await call('PATCH', '/api/auth/profile', { name: 'Administrator' })
})

test('the log shows hostile texts safely, in its table and its details', async ({ admin, installation }) => {
  const lines = hostileTexts.map((text, number) => ({
    id: newId(systemClock()),
    level: 'warning' as const,
    source: 'API' as const,
    message: `${number} ${text}`,
    details: JSON.stringify({ [text]: text, nested: [text] }),
    ip_address: '192.0.2.44',
    user_id: null,
    user_agent: text,
    created_at: isoAfter(systemClock),
  }))
  await withDatabase(installation, db => db.insertInto('logs').values(lines).execute())
  await admin.goto('/logs?level=warning&source=API')
  for (const [number, text] of hostileTexts.entries()) {
    const row = admin.locator('.logs-table tbody tr').filter({ hasText: new RegExp(`API\\s*${number} `) })
    await expect(row).toContainText(shown(text))
    if (!numbersAt(1).includes(number)) continue
    await row.getByRole('button', { name: /^View Details/ }).click()
    const dialog = admin.getByRole('dialog', { name: 'Log Details' })
    await expect(dialog).toContainText(shown(text))
    await admin.keyboard.press('Escape')
    await expectUnharmed(admin)
  }
})
