import { spawnSync } from 'node:child_process'
import { expect } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import { createToken } from './api-tokens.ts'
import { expectTexts } from './expect-texts.ts'
import { ADMIN_EMAIL, type Installation, signIn, test } from './installation.ts'

const askFor = async ({ url }: Installation, token: string) =>
  await fetch(`${url}/api/auth/me`, { headers: { Authorization: `Bearer ${token}` } })

test('an admin makes a token, a program calls with it, and revoked it is worth nothing', async ({
  page,
  context,
  installation,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: installation.url })
  await signIn(page, installation)
  await page.goto('/api-tokens')
  await expectTexts(page, '/api-tokens', 'Manage Tokens', 'API Documentation')
  await expectTexts(page, '/api-tokens', 'No API Tokens', 'Create Your First Token')
  await page.getByRole('button', { name: 'Create Your First Token' }).click()

  const dialog = page.getByRole('dialog', { name: 'Create Token' })
  const submit = dialog.getByRole('button', { name: 'Create Token' })
  await expectTexts(dialog, '/api-tokens', 'Create Token', 'Description', 'Token Type', 'Expiration')
  await expect(submit).toBeDisabled()
  await dialog.getByLabel('Description').fill('   ')
  await expect(submit).toBeDisabled()
  const types = dialog.getByLabel('Token Type')
  await expectTexts(types, '/api-tokens', 'API Access', 'Mobile App', 'Web App', 'External Integration')
  await expect(types.getByRole('option')).toHaveCount(4)
  await expect(types).toHaveValue('api')
  const lifetimes = dialog.getByLabel('Expiration')
  await expectTexts(lifetimes, '/api-tokens', '7 days', '30 days', '90 days', '1 year', '2 years')
  await expect(lifetimes.getByRole('option')).toHaveCount(5)
  await expect(lifetimes).toHaveValue('90')
  await types.selectOption('External Integration')
  await dialog.getByLabel('Description').fill('Case files')
  await page.keyboard.press('Enter')

  await expectTexts(
    page,
    '/api-tokens',
    'Token created successfully',
    "Your new API token has been created. Make sure to copy it now as it won't be shown again.",
  )
  const banner = page.getByRole('region', { name: 'Your new token' })
  await expect(banner.getByRole('button', { name: 'Copy token' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectTexts(page, '/api-tokens', 'Token copied to clipboard', 'Make sure to store it securely.')
  const token = await page.evaluate(() => navigator.clipboard.readText())
  expect(token).toMatch(/^lf_integration_[0-9A-Za-z]{36}$/)

  const row = page.getByRole('row').filter({ hasText: 'Case files' })
  await expect(row).toContainText('External Integration')
  await expect(row).toContainText('Never')
  expect((await askFor(installation, token)).status).toBe(200)

  await page.getByRole('tab', { name: 'API Documentation' }).click()
  await page.getByRole('tab', { name: 'Manage Tokens' }).click()
  await expect(banner).toBeVisible()
  await page.reload()
  await expect(row).toContainText('Just now')
  await expect(banner).toBeHidden()
  expect(await page.content()).not.toContain(token.slice(-36))

  await row.getByRole('button', { name: 'Revoke Case files' }).click()
  const question = page.getByRole('alertdialog', { name: 'Revoke Token' })
  await expectTexts(
    question,
    '/api-tokens',
    'Are you sure you want to revoke this API token? This action cannot be undone and any applications using this token will lose access.',
  )
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect((await askFor(installation, token)).status).toBe(200)
  await row.getByRole('button', { name: 'Revoke Case files' }).click()
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expectTexts(page, '/api-tokens', 'Token revoked', 'The API token has been successfully revoked.')
  await expect(page.getByText('No API Tokens')).toBeVisible()
  expect((await askFor(installation, token)).status).toBe(401)
})

test('the examples of the documentation work as they stand', async ({ page, installation }) => {
  await signIn(page, installation)
  await page.goto('/api-tokens')
  const token = await createToken(page, 'Examples')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.locator('.api-tokens-new-secret')).toBeHidden()
  await page.getByRole('tab', { name: 'API Documentation' }).click()
  await expect(page).toHaveURL(/\?tab=documentation$/)
  await expect(page.getByText('Send the token as a Bearer token in the Authorization header')).toBeVisible()
  await expect(page.getByText('in excess of that are temporarily blocked')).toBeVisible()
  const examples = await page.locator('.api-tokens-example code').allTextContents()
  expect(examples).toHaveLength(3)
  const answers = examples.map(example => {
    expect(example).toContain(installation.url)
    const env = { ...process.env, LANDFALL_TOKEN: token, MESSAGE_ID: newId(new Date()) }
    return JSON.parse(spawnSync('sh', ['-c', `${example} --silent`], { env, encoding: 'utf8' }).stdout)
  })
  expect(answers[0].user.email).toBe(ADMIN_EMAIL)
  expect(answers[1].messages).toEqual([])
  expect(answers[2].message).toBe('This enquiry no longer exists')
})
