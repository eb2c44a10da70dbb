import { expect } from '@playwright/test'
import { expectTexts, toast } from './expect-texts.ts'
import { readSettings } from './installation.ts'
import { save, test } from './settings.ts'
import { timeOf } from './time-of.ts'

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
  const showing = await timeOf(() =>
    expect(async () => {
      const home = await (await fetch(installation.url)).text()
      expect(home).toContain('Southern Cross Migration')
      expect(home).toContain('+61 8 5550 7777')
    }).toPass({ intervals: [50], timeout: 15_000 }),
  )
  const opening = await timeOf(async () => {
    await admin.reload()
    await expect(admin.getByLabel('Site name')).toHaveValue('Southern Cross Migration')
  })
  expect(showing).toBeLessThan(1500 + opening)
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
  // The toast of the change before looks the same.
  await expect
    .poll(async () => {
      const { recaptcha_enabled, recaptcha_site_key, recaptcha_secret_key } = await readSettings(installation)
      return [recaptcha_enabled, recaptcha_site_key, recaptcha_secret_key]
    })
    .toEqual(['false', '', ''])
})
