import { expect } from '@playwright/test'
import { expectTexts, toast } from '../e2e/expect-texts.ts'
import { readSettings } from '../e2e/installation.ts'
import { save, test } from '../e2e/settings.ts'

test('the tabs are chosen by keys, and the address keeps the choice', async ({ admin }) => {
  await admin.goto('/settings')
  const tabs = admin.getByRole('tablist')
  await expectTexts(tabs, '/settings', 'General Settings', 'Email Settings')
  await expectTexts(tabs, '/settings', 'reCAPTCHA Settings', 'Email Integration')
  const tab = (name: string) => admin.getByRole('tab', { name, exact: true })
  await tab('General Settings').focus()
  for (const [key, name] of [
    ['ArrowRight', 'Email Settings'],
    ['End', 'Mail'],
    ['ArrowRight', 'General Settings'],
    ['ArrowLeft', 'Mail'],
    ['Home', 'General Settings'],
    ['ArrowRight', 'Email Settings'],
    ['ArrowRight', 'reCAPTCHA Settings'],
  ] as const) {
    await admin.keyboard.press(key)
    await expect(tab(name)).toBeFocused()
    await expect(tab(name)).toHaveAttribute('aria-selected', 'true')
    await expect(admin.getByRole('tabpanel', { name, exact: true })).toBeVisible()
  }
  await admin.reload()
  await expect(admin.getByRole('tabpanel', { name: 'reCAPTCHA Settings' })).toBeVisible()
  await expect(admin.getByRole('tab', { selected: true })).toHaveCount(1)
})

test('an admin sees an error when the settings cannot be loaded, and tries again', async ({ admin }) => {
  await admin.route(
    '**/api/settings',
    route => route.fulfill({ status: 503, json: { message: 'Not now' } }),
    {
      times: 1,
    },
  )
  await admin.goto('/settings')
  await expectTexts(admin, '/settings', 'Failed to fetch settings')
  await expect(admin.getByText('503: Not now')).toBeVisible()
  await admin.getByRole('button', { name: 'Try again' }).click()
  await expect(admin.getByLabel('Site name')).toBeVisible()
})

test('an admin whose line breaks while saving sees what is saved and what is not', async ({
  admin,
  installation,
}) => {
  await admin.goto('/settings?tab=recaptcha')
  await admin.getByLabel(/^Check with Google/).check()
  await admin.getByLabel('Site key').fill('a-site-key-of-ours')
  await admin.getByLabel('Secret key').fill('a-secret-key-of-ours-Wxyz')
  await admin.route('**/api/settings/recaptcha_secret_key', route => route.abort(), { times: 1 })
  await save(admin)
  await expectTexts(
    toast(admin),
    '/settings',
    'There was a problem saving your reCAPTCHA settings. Please try again.',
  )
  const { recaptcha_enabled, recaptcha_site_key } = await readSettings(installation)
  expect([recaptcha_enabled, recaptcha_site_key]).toEqual(['false', 'a-site-key-of-ours'])
  await expect(admin.getByLabel(/^Check with Google/)).toBeChecked()
  await expect(admin.getByLabel('Secret key')).toHaveValue('a-secret-key-of-ours-Wxyz')
  await save(admin)
  await expect(toast(admin)).toContainText('reCAPTCHA Settings Updated')
  expect((await readSettings(installation)).recaptcha_enabled).toBe('true')
  await admin.getByLabel(/^Check with Google/).uncheck()
  await save(admin)
  await expect(toast(admin)).toContainText('reCAPTCHA Settings Updated')

  await admin.getByRole('tab', { name: 'General Settings' }).click()
  await admin.getByLabel('Site name').fill('Not To Be Saved')
  await admin.route('**/api/settings/site_name', route => route.abort(), { times: 1 })
  await save(admin)
  await expectTexts(
    toast(admin),
    '/settings',
    'Failed to update setting',
    'Network error while submitting your request. Please try again.',
  )
  await expect(admin.getByText('Not saved yet')).toBeVisible()
  await admin.getByRole('button', { name: 'Discard changes' }).click()
  await expect(admin.getByLabel('Site name')).not.toHaveValue('Not To Be Saved')
})

test('an admin is warned before unsaved changes are left behind, and keeps them while looking at other tabs', async ({
  admin,
}) => {
  await admin.goto('/settings')
  await admin.getByLabel('Site name').fill('Half A Name')
  await admin.getByRole('tab', { name: 'Email Integration' }).click()
  await expect(admin).toHaveURL(/\/settings\?tab=email-integration$/)
  await expect(admin.getByRole('tab', { name: 'General Settings (unsaved changes)' })).toBeVisible()
  await admin.goBack()
  await expect(admin).toHaveURL(/\/settings$/)
  await expect(admin.getByLabel('Site name')).toHaveValue('Half A Name')

  await admin.getByText('Admin', { exact: true }).first().click()
  await admin.getByRole('link', { name: 'Messages' }).first().click()
  const warning = admin.getByRole('alertdialog', { name: 'Unsaved changes' })
  await expect(warning).toBeVisible()
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect(admin.getByLabel('Site name')).toHaveValue('Half A Name')

  const asked: string[] = []
  admin.once('dialog', async dialog => {
    asked.push(dialog.type())
    await dialog.dismiss()
  })
  await admin.evaluate(() => location.assign('/about-us'))
  await expect(() => expect(asked).toEqual(['beforeunload'])).toPass()

  await admin.getByText('Admin', { exact: true }).first().click()
  await admin.getByRole('link', { name: 'Messages' }).first().click()
  await warning.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(admin).toHaveURL(/\/messages$/)
})
