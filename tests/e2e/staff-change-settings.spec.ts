import { expect } from '@playwright/test'
import { expectTexts, toast } from './expect-texts.ts'
import { readSettings } from './installation.ts'
import { save, test } from './settings.ts'

test('an admin gives the site another name and number, and visitors see both within two seconds', async ({
  admin,
  installation,
}) => {
  await admin.goto('/settings')
  await expect(admin.getByRole('tab', { name: 'General Settings' })).toHaveAttribute('aria-selected', 'true')
  await admin.getByLabel('Site name').fill('ab')
  await admin.getByLabel('Contact phone').fill('123')
  await save(admin)
  await expectTexts(
    admin,
    '/settings',
    'Site name must be at least 3 characters',
    'Contact phone must be at least 5 characters',
  )
  await expect(admin.getByLabel('Site name')).toBeFocused()
  await admin.getByLabel('Site name').fill('Southern Cross Migration')
  await admin.getByLabel('Contact phone').fill('+61 8 5550 7777')
  await save(admin)
  await expectTexts(toast(admin), '/settings', 'Settings Updated')
  const saved = Date.now()
  await expect(async () => {
    const home = await (await fetch(installation.url)).text()
    expect(home).toContain('Southern Cross Migration')
    expect(home).toContain('+61 8 5550 7777')
  }).toPass({ intervals: [50], timeout: 5000 })
  expect(Date.now() - saved).toBeLessThan(2000)
  await admin.reload()
  await expect(admin.getByLabel('Site name')).toHaveValue('Southern Cross Migration')
})

test('an admin keeps a secret by leaving its mask alone, and replaces it by typing over it', async ({
  admin,
  installation,
}) => {
  await admin.goto('/settings?tab=recaptcha')
  const siteKey = admin.getByLabel('Site key')
  const secretKey = admin.getByLabel('Secret key')
  await admin.getByLabel(/^Check with Google/).check()
  await save(admin)
  await expectTexts(admin, '/settings', 'Site key is required', 'Secret key is required')
  await siteKey.fill('a-site-key-of-ours')
  await secretKey.fill('a-secret-key-of-ours-Wxyz')
  await save(admin)
  await expectTexts(toast(admin), '/settings', 'reCAPTCHA Settings Updated')
  await expect(secretKey).toHaveValue('********Wxyz')

  const sent: string[] = []
  admin.on('request', request => {
    if (request.method() === 'PUT') sent.push(`${new URL(request.url()).pathname} ${request.postData()}`)
  })
  await admin.getByLabel('Version').selectOption('v2, checkbox')
  await secretKey.focus()
  await secretKey.blur()
  await save(admin)
  await expect(toast(admin)).toContainText('reCAPTCHA Settings Updated')
  expect(sent).toEqual(['/api/settings/recaptcha_version {"value":"v2"}'])
  expect((await readSettings(installation)).recaptcha_secret_key).toBe('a-secret-key-of-ours-Wxyz')

  await secretKey.press('End')
  await secretKey.pressSequentially('more')
  await save(admin)
  await expect(admin.locator('.field-error')).toHaveText('Enter the whole key, or leave it as it is')
  // A refused field is given the focus, a moment after it says why.
  await expect(secretKey).toBeFocused()
  await secretKey.blur()
  // Focusing the field selects all of it.
  await secretKey.click()
  await admin.keyboard.type('another-secret-key-Abcd')
  await save(admin)
  await expect(secretKey).toHaveValue('********Abcd')
  expect((await readSettings(installation)).recaptcha_secret_key).toBe('another-secret-key-Abcd')

  await admin.getByLabel(/^Check with Google/).uncheck()
  await siteKey.fill('')
  await secretKey.fill('')
  await save(admin)
  await expect(toast(admin)).toContainText('reCAPTCHA Settings Updated')
  const { recaptcha_enabled, recaptcha_site_key, recaptcha_secret_key } = await readSettings(installation)
  expect([recaptcha_enabled, recaptcha_site_key, recaptcha_secret_key]).toEqual(['false', '', ''])
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
