import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readAllSettings } from '../../../tests/support/settings.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import type { SettingKey } from './contract.ts'

suite('Validation of settings', async () => {
  const testApp = await openTestApp()
  const { settings: kept, db } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  const put = async (key: string, value: unknown) =>
    await admin.send('PUT', `/api/settings/${key}`, { value })
  const read = async (key: SettingKey) => (await readAllSettings(kept))[key]
  /** @returns the error of `value`, or of the setting that `field` names. */
  async function refused(key: SettingKey, value: unknown, field = 'value'): Promise<string> {
    const before = await db.selectFrom('settings').selectAll().orderBy('key').execute()
    const reply = await put(key, value)
    assert.equal(reply.status, 400)
    const { errors } = await reply.json()
    assert.deepEqual(await db.selectFrom('settings').selectAll().orderBy('key').execute(), before)
    return errors[field]
  }

  for (const value of [
    'desk@agency.test\r\nBcc: x@evil.test',
    'desk@agency.test, x@evil.test',
    'a@b.c, d@e.f',
    'desk@agency.test x@evil.test',
    'Desk <desk@agency.test>',
    '"desk@agency.test" <x@evil.test>',
    '<x@evil.test>',
    'desk@agency.test;x@evil.test',
    '',
    'desk',
    `${'d'.repeat(250)}@agency.test`,
    ['a@b.test'],
    null,
  ])
    test(`${JSON.stringify(value).slice(0, 50)} is rejected as the form email (S5)`, async () => {
      await refused('form_email', value)
    })

  test('an invalid value is rejected with its error', async () => {
    assert.equal(await refused('form_email', 'desk'), 'Please enter a valid email address')
    for (const value of ['', 'ab', ' ab '])
      assert.equal(await refused('site_name', value), 'Site name must be at least 3 characters')
    for (const value of ['', '1234', ' 1234 '])
      assert.equal(await refused('contact_phone', value), 'Contact phone must be at least 5 characters')
    assert.equal(await refused('site_name', 'x'.repeat(101)), 'Site name must be at most 100 characters')
    assert.equal(await refused('site_name', 'two\nlines'), 'Site name must be on one line')
    for (const value of ['has a blank', 'line\nbreak', 'ключ-на-двенадцать'])
      assert.match(
        await refused('mailchimp_transactional_api_key', value),
        /^API key can only have visible ASCII characters/,
      )
    assert.equal((await admin.send('PUT', '/api/settings/site_name', { value: 'Fine', more: 1 })).status, 400)
    assert.equal((await admin.send('PUT', '/api/settings/site_name', {})).status, 400)
    for (const value of ['', '0', '601', '12.5', '-3', '1e2', 'ten'])
      assert.equal(
        await refused('retention_enquiries_months', value),
        'Enter a whole number of months, from 1 to 600',
      )
    for (const value of ['29', '3651'])
      assert.equal(
        await refused('retention_logs_days', value),
        'Enter a whole number of days, from 30 to 3650',
      )
    for (const [key, value] of [
      ['site_name', 'abc'],
      ['contact_phone', '12345'],
      ['retention_enquiries_months', '600'],
      ['retention_logs_days', '30'],
    ] as const) {
      assert.equal((await put(key, value)).status, 200)
      assert.equal(await read(key), value)
    }
  })

  for (const value of ['TRUE', 'True', '1', '', true, null])
    test(`${JSON.stringify(value)} does not switch the bot check on (S6)`, async () => {
      await refused('recaptcha_enabled', value)
      assert.equal(await read('recaptcha_enabled'), 'false')
    })

  test('the bot check needs both keys while it is on', async () => {
    for (const key of ['recaptcha_site_key', 'recaptcha_secret_key']) await put(key, '')
    assert.equal(await refused('recaptcha_enabled', 'true', 'recaptcha_site_key'), 'Site key is required')
    assert.equal(await refused('recaptcha_enabled', 'true', 'recaptcha_secret_key'), 'Secret key is required')
    await put('recaptcha_site_key', 'a-site-key')
    assert.equal(await refused('recaptcha_enabled', 'true', 'recaptcha_site_key'), undefined)
    await put('recaptcha_secret_key', 'a-secret-key')
    assert.equal((await put('recaptcha_enabled', 'true')).status, 200)
    assert.equal(await refused('recaptcha_site_key', '', 'recaptcha_site_key'), 'Site key is required')
    assert.equal(
      await refused('recaptcha_secret_key', '  ', 'recaptcha_secret_key'),
      'Secret key is required',
    )
    assert.equal((await put('recaptcha_enabled', 'false')).status, 200)
    for (const key of ['recaptcha_site_key', 'recaptcha_secret_key'])
      assert.equal((await put(key, '')).status, 200)
  })

  test('one admin cannot switch the bot check on while another empties a key', async () => {
    const other = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    for (let round = 0; round < 20; round++) {
      await put('recaptcha_enabled', 'false')
      await put('recaptcha_site_key', 'a-site-key')
      await put('recaptcha_secret_key', 'a-secret-key')
      await Promise.all([
        put('recaptcha_enabled', 'true'),
        other.send('PUT', '/api/settings/recaptcha_secret_key', { value: '' }),
      ])
      const { recaptcha_enabled, recaptcha_secret_key } = await readAllSettings(kept)
      assert.ok(recaptcha_enabled === 'false' || recaptcha_secret_key !== '')
    }
    await put('recaptcha_enabled', 'false')
  })
})
